// A shared object of a compiled mechanism for a device, loaded.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "freeplay/compile/step/compiled_interface.h"
#include "freeplay/core/layers.h"

namespace freeplay::compile {

// The device gave up while lanes ran.
class DeviceFailure : public std::runtime_error {
 public:
  DeviceFailure(const std::string& what, bool is_memory) : std::runtime_error(what), is_of_memory(is_memory) {}
  bool is_of_memory;  // fewer lanes at a time may help
};

class DeviceObject {
 public:
  // Throws CompileError if it is not one of this version, or the device does not open.
  explicit DeviceObject(const std::filesystem::path& file);

  const FreeplaySizes& sizes() const { return sizes_; }
  const std::string& device_name() const { return device_name_; }

  // Lanes on the device; from several threads at once, with different data. `batch` must outlive it. Throws
  // DeviceFailure.
  class Run {
   public:
    Run(const DeviceObject& object, FreeplayBatch& batch);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    void advance(long long first_step, long long steps);
    void bring_back();

   private:
    const DeviceObject& object_;
    void* run_ = nullptr;
  };

 private:
  static void check(int code, const char* text);

  std::shared_ptr<void> library_;
  FreeplaySizes sizes_{};
  std::string device_name_;
  int (*begin_)(FreeplayBatch*, void**, char*, int) = nullptr;
  int (*advance_)(void*, long long, long long, char*, int) = nullptr;
  int (*bring_back_)(void*, char*, int) = nullptr;
  void (*end_)(void*) = nullptr;
};

}  // namespace freeplay::compile
