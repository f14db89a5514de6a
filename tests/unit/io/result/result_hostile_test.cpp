// Result files that no writer of freeplay made: damaged ones, and ones that claim what is not so.
#include <gmock/gmock.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include "freeplay/core/error.h"
#include "support/places.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::result_hostile_test {

namespace {

using namespace result_test;
using testing::HasSubstr;

constexpr std::int64_t kRows = 3000;
constexpr std::size_t kChannels = 3;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

class HostileResult : public testing::Test {
 protected:
  void SetUp() override {
    RecordLayout layout = layout_with_channels(kChannels);
    layout.contacts = {"pin", "guide"};
    layout.attributes = {{"name", "A model"}, {"model", std::string(100'000, 'm')}};
    layout.geometry_json = "{}";
    ResultWriter writer(path_);
    writer.begin(layout);
    write_rows(writer, kChannels, 0, kRows);
    writer.impact({.time_s = 1, .contact = 1});
    writer.event({.time_s = 1, .contact = 1, .kind = ContactEventKind::kLanding});
    writer.flush();
    killed_ = bytes_of(path_);  // as a kill would leave it here
    writer.end({});
  }

  // What stops a reader that takes all there is; "" if nothing does.
  std::string refusal() const {
    try {
      const ResultReader reader(path_);
      static_cast<void>(reader.geometry_json());
      static_cast<void>(reader.checkpoint_record());
      static_cast<void>(reader.impacts());
      static_cast<void>(reader.events());
      expect_known_rows(reader);
    } catch (const IoError& error) {
      return error.what();
    }
    return {};
  }

  // Changes the file through HDF5.
  template <typename Action>
  void edit(Action action) const {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    action(file);
    ASSERT_GE(H5Fclose(file), 0);
  }
  // A dataset in the place of another one.
  void replace(const std::string& name, hid_t type, hid_t space, hid_t creation, const void* values) const {
    edit([&](hid_t file) {
      H5Ldelete(file, name.c_str(), H5P_DEFAULT);
      const hid_t dataset = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
      ASSERT_GE(dataset, 0);
      if (values != nullptr) {
        ASSERT_GE(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
      }
      H5Dclose(dataset);
    });
  }
  void replace_times(const std::vector<double>& times) const {
    const hsize_t size = times.size();
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    replace("time", H5T_IEEE_F64LE, space, H5P_DEFAULT, times.data());
    H5Sclose(space);
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "result.h5";
  std::string killed_;
};

TEST_F(HostileResult, IsReadAsLongAsNobodyChangesIt) {
  EXPECT_EQ(refusal(), "");
}

TEST_F(HostileResult, HoldsTextsOfFixedLengthOnly) {
  int texts = 0;
  edit([&](hid_t file) {
    for (const char* name : {"name", "model"}) {
      const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT), type = H5Aget_type(attribute);
      EXPECT_EQ(H5Tget_class(type), H5T_STRING);
      EXPECT_EQ(H5Tis_variable_str(type), 0) << name;
      H5Tclose(type);
      H5Aclose(attribute);
      ++texts;
    }
    for (const char* name : {"contacts", "geometry"}) {
      const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(dataset);
      EXPECT_EQ(H5Tis_variable_str(type), 0) << name;
      H5Tclose(type);
      H5Dclose(dataset);
      ++texts;
    }
  });
  EXPECT_EQ(texts, 4);
  EXPECT_EQ(ResultReader(path_).attributes().at("model"), std::string(100'000, 'm'));
}

TEST_F(HostileResult, WithTextsOfVariableLengthAsEarlierVersionsWroteThemIsRead) {
  edit([](hid_t file) {
    H5Adelete(file, "name");
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t attribute = H5Acreate2(file, "name", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char* text = "Of old";
    H5Awrite(attribute, type, &text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  });
  EXPECT_EQ(ResultReader(path_).attributes().at("name"), "Of old");
}

TEST_F(HostileResult, WithAListInThePlaceOfItsVersionIsRefusedBeforeItIsRead) {
  edit([](hid_t file) {
    H5Adelete(file, "freeplay_result");
    const hsize_t size = 10'000;  // far more than the one integer that there is room for
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t attribute = H5Acreate2(file, "freeplay_result", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
    const std::vector<int> ones(size, 1);
    H5Awrite(attribute, H5T_NATIVE_INT, ones.data());
    H5Aclose(attribute);
    H5Sclose(space);
  });
  EXPECT_THAT(refusal(), HasSubstr("not one integer"));
}

TEST_F(HostileResult, WithManySummariesIsRefusedBeforeTheyAreRead) {
  hid_t type = H5I_INVALID_HID;
  edit([&](hid_t file) {
    const hid_t dataset = H5Dopen2(file, "summary", H5P_DEFAULT);
    type = H5Tcopy(dataset);
    H5Dclose(dataset);
  });
  const hsize_t size = 1000;
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const std::vector<char> zeros(H5Tget_size(type) * size);
  replace("summary", type, space, H5P_DEFAULT, zeros.data());
  H5Sclose(space);
  H5Tclose(type);
  EXPECT_THAT(refusal(), HasSubstr("a record is expected"));
}

TEST_F(HostileResult, ThatKeepsNumbersInAnotherFileDoesNotShowThem) {
  const std::filesystem::path secret = folder_ / "secret";
  write_bytes(secret, std::string(8 * kRows, 's'));
  const hsize_t size = kRows;
  const hid_t space = H5Screate_simple(1, &size, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(creation, secret.c_str(), 0, 8 * kRows);
  replace("time", H5T_IEEE_F64LE, space, creation, nullptr);
  H5Pclose(creation);
  H5Sclose(space);
  EXPECT_THAT(refusal(), HasSubstr("keeps its data in other files"));
}

TEST_F(HostileResult, WithAVirtualColumnIsRefused) {
  const hsize_t size = kRows;
  const hid_t space = H5Screate_simple(1, &size, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(creation, space, "elsewhere.h5", "time", space);
  replace("time", H5T_IEEE_F64LE, space, creation, nullptr);
  H5Pclose(creation);
  H5Sclose(space);
  EXPECT_THAT(refusal(), HasSubstr("keeps its data in other files"));
}

TEST_F(HostileResult, WithALinkToAnotherFileIsRefused) {
  std::filesystem::copy_file(path_, folder_ / "other.h5");
  edit([](hid_t file) {
    H5Ldelete(file, "time", H5P_DEFAULT);
    H5Lcreate_external("other.h5", "/time", file, "time", H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_THAT(refusal(), HasSubstr("a link to another place"));
}

TEST_F(HostileResult, ThatIsAPipeIsRefusedWithoutWaitingForAWriter) {
  std::filesystem::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(refusal(), HasSubstr("not a regular file"));
}

TEST_F(HostileResult, WhoseTimesAreNoNumbersOrGoBackIsRefused) {
  std::vector<double> times(kRows);
  for (std::int64_t row = 0; row < kRows; ++row) times[static_cast<std::size_t>(row)] = expected_time(row);
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0}) {
    std::vector<double> changed = times;
    changed[2000] = wrong;
    replace_times(changed);
    EXPECT_THAT(refusal(), HasSubstr("the time of row 2000"));
    // A single row is held against the one before it.
    double value = 0;
    EXPECT_THROW(ResultReader(path_).read_time(2000, {&value, 1}), IoError);
  }
}

// Into one field of a table with one record.
void write_field(hid_t file, const char* table, const char* field, hid_t type, const void* value) {
  const hid_t dataset = H5Dopen2(file, table, H5P_DEFAULT), record = H5Tcreate(H5T_COMPOUND, H5Tget_size(type));
  H5Tinsert(record, field, 0, type);
  ASSERT_GE(H5Dwrite(dataset, record, H5S_ALL, H5S_ALL, H5P_DEFAULT, value), 0);
  H5Tclose(record);
  H5Dclose(dataset);
}

TEST_F(HostileResult, WhoseImpactOrEventIsOneOfAnUnknownContactIsRefused) {
  for (const char* table : {"impacts", "events"}) {
    SetUp();
    const int beyond = 2;
    edit([&](hid_t file) { write_field(file, table, "contact", H5T_NATIVE_INT32, &beyond); });
    EXPECT_THAT(refusal(), HasSubstr("contact point 2, but the file names 2")) << table;
  }
}

TEST_F(HostileResult, WhoseImpactOrEventHasNoFiniteTimeIsRefused) {
  for (const std::string table : {"impacts", "events"}) {
    SetUp();
    const double endless = std::numeric_limits<double>::infinity();
    edit([&](hid_t file) { write_field(file, table.c_str(), "time", H5T_NATIVE_DOUBLE, &endless); });
    EXPECT_THAT(refusal(), HasSubstr("the time of " + table.substr(0, table.size() - 1) + " 0 is inf s"));
  }
}

TEST_F(HostileResult, WhoseEventIsOfAnUnknownKindIsRefusedAndNotReadAsAnother) {
  for (const char* word : {"landings", "", "Landing", "landinglanding"}) {
    SetUp();
    edit([&](hid_t file) {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, 12);
      H5Tset_cset(type, H5T_CSET_UTF8);
      H5Tset_strpad(type, H5T_STR_NULLPAD);
      char padded[12] = {};
      std::memcpy(padded, word, std::min(sizeof padded, std::strlen(word)));
      write_field(file, "events", "kind", type, padded);
      H5Tclose(type);
    });
    EXPECT_THAT(refusal(), HasSubstr("event 0 is of a kind that this program does not know")) << word;
  }
}

TEST_F(HostileResult, WhoseImpactsOrEventsLackAFieldIsRefusedAndNotReadAsZeros) {
  for (const char* table : {"impacts", "events"}) {
    SetUp();
    const hsize_t size = 1;
    const hid_t space = H5Screate_simple(1, &size, nullptr), type = H5Tcreate(H5T_COMPOUND, 8);
    H5Tinsert(type, "time", 0, H5T_NATIVE_DOUBLE);
    const double time = 1;
    replace(table, type, space, H5P_DEFAULT, &time);
    H5Tclose(type);
    H5Sclose(space);
    EXPECT_THAT(refusal(), HasSubstr("no field 'contact'")) << table;
  }
}

// Not hostile, but early: such files come from versions that knew no events.
TEST_F(HostileResult, WithoutATableOfEventsReadsAsOneWithoutEvents) {
  ASSERT_EQ(ResultReader(path_).event_count(), 1);
  edit([](hid_t file) { H5Ldelete(file, "events", H5P_DEFAULT); });
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(ResultReader(path_).event_count(), 0);
  EXPECT_TRUE(ResultReader(path_).events().empty());
}

TEST_F(HostileResult, ThatClaimsMoreThanItCanHoldIsRefusedBeforeMemoryIsAskedFor) {
  for (const char* name : {"time", "impacts", "events", "checkpoint"}) {
    SetUp();
    edit([&](hid_t file) {
      const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
      const hsize_t size = 1'000'000'000'000;
      ASSERT_GE(H5Dset_extent(dataset, &size), 0);
      H5Dclose(dataset);
    });
    EXPECT_THAT(refusal(), HasSubstr("can hold")) << name;
  }
}

TEST_F(HostileResult, ThatClaimsMoreChunksThanItHasBytesIsRefusedBeforeHdf5RemembersEachOfThem) {
  // A compressed column may hold more elements than the file has bytes, so their number alone is no reason.
  const hsize_t size = 8'000'000, chunk = 1;
  const hid_t space = H5Screate_simple(1, &size, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 8);
  H5Pset_chunk(creation, 1, &chunk);
  H5Pset_deflate(creation, 1);
  replace("contacts", type, space, creation, nullptr);
  H5Tclose(type);
  H5Pclose(creation);
  H5Sclose(space);
  EXPECT_THAT(refusal(), HasSubstr("contacts claims 8000000 chunks"));
}

TEST_F(HostileResult, ThatClaimsABillionNamesIsRefused) {
  const hsize_t size = 1'000'000'000, chunk = 1000;
  const hid_t space = H5Screate_simple(1, &size, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Pset_chunk(creation, 1, &chunk);
  for (const std::size_t bytes : {std::size_t{8}, H5T_VARIABLE}) {
    H5Tset_size(type, bytes);
    replace("contacts", type, space, creation, nullptr);
    EXPECT_THAT(refusal(), HasSubstr("can hold"));
  }
  H5Tclose(type);
  H5Pclose(creation);
  H5Sclose(space);
}

// Chunks that were never written would read as zeros.
TEST_F(HostileResult, WithRowsThatWereNeverWrittenIsRefusedAndNotReadAsZeros) {
  edit([](hid_t file) {
    for (const char* name : {"time", "channels/body_0.x", "channels/body_1.x", "channels/body_2.x"}) {
      const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
      const hsize_t size = 5 * kRows;
      ASSERT_GE(H5Dset_extent(dataset, &size), 0);
      H5Dclose(dataset);
    }
  });
  EXPECT_EQ(ResultReader(path_).rows(), 5 * kRows);
  EXPECT_THAT(refusal(), HasSubstr("was never written"));
}

TEST_F(HostileResult, WithTextsInThePlaceOfNumbersIsRefused) {
  const hsize_t size = kRows;
  const hid_t space = H5Screate_simple(1, &size, nullptr), type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 8);
  replace("channels/body_1.x", type, space, H5P_DEFAULT, nullptr);
  H5Tclose(type);
  H5Sclose(space);
  EXPECT_THAT(refusal(), HasSubstr("numbers of the right kind"));
}

// The file of a killed run says nothing about its size. expect_known_rows() finds a zero that is not a row. In a child
// process, since HDF5 does not forget all of the files that it could not open.
TEST_F(HostileResult, OfAKilledRunThatIsCutAnywhereIsReadRightOrRefused) {
  ChildProcess child([&](int pipe) {
    for (std::size_t size = killed_.size(); size > 0; size -= std::min<std::size_t>(size, 997)) {
      write_bytes(path_, killed_.substr(0, size));
      const bool is_refused = !refusal().empty();
      tell(pipe, HasFailure() ? "wrong " : is_refused ? "refused " : "read ");
    }
    tell(pipe, "done");
  });
  const std::string told = child.read_all();
  EXPECT_THAT(told, testing::EndsWith("refused done"));
  EXPECT_THAT(told, testing::StartsWith("read ")) << "as a kill leaves it, it can be read";
  EXPECT_THAT(told, testing::Not(HasSubstr("wrong")));
}

TEST_F(HostileResult, KilledAndCutBeforeFixedTextsWereWrittenIsRefusedToo) {
  path_ = std::filesystem::path(test_dir()) / "reference/bad/trunc60.h5";
  EXPECT_THROW(static_cast<void>(ResultReader(path_).read_time()), IoError);
}

// Numbers have no checksum: a flipped bit may change one. It must never bring the reader down.
TEST_F(HostileResult, WithAFlippedBitAnywhereNeverCrashesOrHangsTheReader) {
  const std::string whole = bytes_of(path_);
  std::mt19937_64 random(5);
  // Rows are most of the file; what leads HDF5 through it stands among the first bytes of each dataset.
  for (int round = 0; round < 150; ++round) {
    std::string damaged = round % 2 == 0 ? whole : killed_;
    const std::size_t range = round % 3 == 0 ? damaged.size() : std::min<std::size_t>(damaged.size(), 40'000);
    const std::size_t bit = random() % (8 * range);
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    write_bytes(path_, damaged);
    ChildProcess child([&](int) {
      const rlimit seconds{20, 20};
      setrlimit(RLIMIT_CPU, &seconds);
      try {
        const ResultReader reader(path_);
        static_cast<void>(reader.geometry_json());
        static_cast<void>(reader.impacts());
        static_cast<void>(reader.events());
        static_cast<void>(reader.read_time());
        for (const ChannelInfo& channel : reader.channels()) static_cast<void>(reader.read_channel(channel.name));
      } catch (const IoError&) {
        // as it should be
      }
      ::_exit(0);  // HDF5 loses memory of its own on damaged files, which a sanitizer would find on a usual exit
    });
    EXPECT_EQ(child.wait(), 0) << "bit " << bit << " of round " << round;
  }
}

}  // namespace

}  // namespace freeplay::test::result_hostile_test
