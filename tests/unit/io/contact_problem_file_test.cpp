#include "freeplay/io/problem/contact_problem_file.h"

#include <gmock/gmock.h>
#include <hdf5.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>

#include "freeplay/core/error.h"
#include "unit/io/contact_problem_examples.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::contact_problem_file_test {

namespace {

using namespace contact_test;
using result_test::TemporaryFolder;
using testing::HasSubstr;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Replaces a dataset of a file, or only takes it away.
class Editor {
 public:
  explicit Editor(const std::filesystem::path& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {}
  ~Editor() { H5Fclose(file_); }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  Editor& remove(const std::string& name) {
    H5Ldelete(file_, name.c_str(), H5P_DEFAULT);
    return *this;
  }
  Editor& put(const std::string& name, const std::vector<int>& values) {
    return put(name, H5T_STD_I32LE, H5T_NATIVE_INT, values.size(), values.data());
  }
  Editor& put(const std::string& name, const std::vector<double>& values) {
    return put(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
  }
  Editor& put(const std::string& name, hid_t file_type, hid_t memory_type, hsize_t size, const void* values) {
    if (H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0) remove(name);
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t set = H5Dcreate2(file_, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (values != nullptr) H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
    H5Sclose(space);
    return *this;
  }

 private:
  hid_t file_;
};

class ContactProblemFile : public testing::Test {
 protected:
  // The message of the refusal, "" if the file is read.
  std::string refusal() const {
    try {
      read_contact_problem(path_);
    } catch (const ModelError& error) {
      EXPECT_EQ(error.diagnostics().size(), 1u);
      EXPECT_EQ(error.diagnostics()[0].mark.file, path_.string());
      return error.what();
    }
    return {};
  }
  std::string refusal_of(const ContactProblem& problem) const {
    write_contact_problem(path_, problem);
    return refusal();
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "problem.hdf5";
};

TEST_F(ContactProblemFile, ReadsBackWhatWasWrittenToTheLastBit) {
  std::mt19937_64 random(7);
  ContactProblem problem = with_bilateral_row();
  problem.title = "step 12";
  problem.description = "a µ in the text";
  const auto fill = [&](std::vector<double>& values) {
    for (double& value : values) {
      do value = std::bit_cast<double>(random());
      while (!(std::abs(value) <= 1e150));
    }
  };
  for (std::vector<double>* values : {&problem.W.value, &problem.V.value, &problem.R.value, &problem.q, &problem.s}) {
    fill(*values);
  }
  problem.q[0] = -0.0;
  problem.q[1] = std::numeric_limits<double>::denorm_min();
  write_contact_problem(path_, problem);
  const ContactProblem again = read_contact_problem(path_);
  EXPECT_EQ(again, problem);
  EXPECT_TRUE(std::signbit(again.q[0]));
  write_contact_problem(folder_ / "again.hdf5", again);
  EXPECT_EQ(bytes_of(folder_ / "again.hdf5"), bytes_of(path_)) << "and the file itself is the same";
}

TEST_F(ContactProblemFile, AMatrixWithoutEntriesIsAMatrix) {
  ContactProblem problem = unsolvable();
  problem.W = {2, {0, 0, 0}, {}, {}};
  write_contact_problem(path_, problem);
  EXPECT_EQ(read_contact_problem(path_), problem);
}

// W = (1 2; 3 4) in FCLIB's other two forms.
TEST_F(ContactProblemFile, TripletsAndCompressedRowsGiveTheSameColumns) {
  const ContactProblem problem = problem_of(2, (MatX(2, 2) << 1, 2, 3, 4).finished(), {1, 2}, {0.1});
  write_contact_problem(path_, problem);
  Editor(path_)
      .put("/fclib_local/W/nz", std::vector<int>{-2})
      .put("/fclib_local/W/p", std::vector<int>{0, 2, 4})
      .put("/fclib_local/W/i", std::vector<int>{0, 1, 0, 1})
      .put("/fclib_local/W/x", std::vector<double>{1, 2, 3, 4});
  EXPECT_EQ(read_contact_problem(path_), problem);
  Editor(path_)
      .put("/fclib_local/W/nz", std::vector<int>{4})
      .put("/fclib_local/W/nzmax", std::vector<int>{5})
      .put("/fclib_local/W/p", std::vector<int>{1, 0, 0, 1})
      .put("/fclib_local/W/i", std::vector<int>{1, 0, 1, 0})
      .put("/fclib_local/W/x", std::vector<double>{4, 1, 2, 3, 99});
  const ContactLocalProblem owner(read_contact_problem(path_));
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(owner.view().G.entry(i, j), 1 + 2 * i + j);
  }
}

TEST_F(ContactProblemFile, SinglePrecisionAndLongIntegersAreRead) {
  write_contact_problem(path_, unsolvable());
  const float mu = 0.25;
  const long long dimension = 2;
  Editor(path_)
      .put("/fclib_local/vectors/mu", H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, 1, &mu)
      .put("/fclib_local/spacedim", H5T_STD_I64BE, H5T_NATIVE_LLONG, 1, &dimension);
  EXPECT_EQ(read_contact_problem(path_).mu, std::vector<double>{0.25});
}

TEST_F(ContactProblemFile, ImpossibleNumbersAreRefusedWithPlaceAndValue) {
  ContactProblem problem = open_stick_slip();
  problem.q[3] = std::nan("");
  EXPECT_THAT(refusal_of(problem), HasSubstr("fclib_local/vectors/q[3]: is nan, but must be a finite number"));
  problem = open_stick_slip();
  problem.W.value[7] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(refusal_of(problem), HasSubstr("fclib_local/W/x[7]: is inf"));
  problem.W.value[7] = -7e221;
  EXPECT_THAT(refusal_of(problem), HasSubstr("fclib_local/W/x[7]: is -7e+221, but must be from -1e+150 to 1e+150"));
  problem = open_stick_slip();
  problem.mu[2] = -0.1;
  EXPECT_THAT(refusal_of(problem), HasSubstr("fclib_local/vectors/mu[2]: is -0.1, but must not be negative"));
  problem = open_stick_slip();
  problem.dimension = 4;
  EXPECT_THAT(refusal_of(problem), HasSubstr("fclib_local/spacedim: is 4, but must be 2 or 3"));
}

TEST_F(ContactProblemFile, SizesThatDoNotFitAreRefused) {
  ContactProblem problem = open_stick_slip();
  problem.W.rows = 7;
  EXPECT_THAT(refusal_of(problem), HasSubstr("has 7 rows and 6 columns, but must be square"));
  problem = problem_of(2, MatX::Identity(3, 3), {1, 2, 3}, {0.1});
  EXPECT_THAT(refusal_of(problem), HasSubstr("has 3 rows, but must have a multiple of 2"));
  problem = open_stick_slip();
  problem.q.pop_back();
  EXPECT_THAT(refusal_of(problem), HasSubstr("q: has 5 numbers, but must have 6, one for each row of W"));
  problem = open_stick_slip();
  problem.mu.push_back(1);
  EXPECT_THAT(refusal_of(problem), HasSubstr("mu: has 4 numbers, but must have 3"));
  EXPECT_THAT(refusal_of(ContactProblem()), HasSubstr("is empty"));
  problem = with_bilateral_row();
  problem.V.rows = 4;
  EXPECT_THAT(refusal_of(problem), HasSubstr("fclib_local/V: has 4 rows"));
  problem = with_bilateral_row();
  problem.s.push_back(0);
  EXPECT_THAT(refusal_of(problem), HasSubstr("s: has 2 numbers, but must have 1"));
}

TEST_F(ContactProblemFile, IndicesAreChecked) {
  ContactProblem problem = open_stick_slip();
  problem.W.row[4] = 6;
  EXPECT_THAT(refusal_of(problem), HasSubstr("fclib_local/W/i[4]: is 6, but must be an index from 0 to 5"));
  problem.W.row[4] = -1;
  EXPECT_THAT(refusal_of(problem), HasSubstr("i[4]: is -1"));
  problem = open_stick_slip();
  problem.W.begin[2] = 3;
  EXPECT_THAT(refusal_of(problem), HasSubstr("fclib_local/W/p[2]: is 3, but must be from 6 to 36"));
  problem = open_stick_slip();
  problem.W.begin[0] = 1;
  EXPECT_THAT(refusal_of(problem), HasSubstr("p[0]: is 1, but must be from 0 to 0"));
  problem = open_stick_slip();
  problem.W.begin[6] = 37;
  EXPECT_THAT(refusal_of(problem), HasSubstr("p[6]: is 37"));
}

TEST_F(ContactProblemFile, AnotherLayoutIsRefusedWithWhatIsMissing) {
  const auto fresh = [&]() -> const std::filesystem::path& {
    write_contact_problem(path_, open_stick_slip());
    return path_;
  };
  Editor(fresh()).remove("/fclib_local");
  EXPECT_THAT(refusal(), HasSubstr("fclib_local: is missing"));
  Editor(fresh()).remove("/fclib_local/W");
  EXPECT_THAT(refusal(), HasSubstr("fclib_local/W: is missing"));
  Editor(fresh()).remove("/fclib_local/vectors/mu");
  EXPECT_THAT(refusal(), HasSubstr("fclib_local/vectors/mu: is missing"));
  Editor(fresh()).put("/fclib_local/W", std::vector<int>{1});
  EXPECT_THAT(refusal(), HasSubstr("fclib_local/W: is not a group"));
  Editor(fresh()).put("/fclib_local/W/nz", std::vector<int>{-3});
  EXPECT_THAT(refusal(), HasSubstr("fclib_local/W/nz: is -3"));
  Editor(fresh()).put("/fclib_local/W/nzmax", std::vector<int>{40});
  EXPECT_THAT(refusal(), HasSubstr("x: has 36 numbers, but must have 40, as fclib_local/W/nzmax says"));
  Editor(fresh()).put("/fclib_local/W/nzmax", std::vector<int>{-1});
  EXPECT_THAT(refusal(), HasSubstr("nzmax: is -1, but must be a count"));
  Editor(fresh()).put("/fclib_local/W/m", std::vector<int>{6, 6});
  EXPECT_THAT(refusal(), HasSubstr("m: has 2 numbers, but must have 1"));
  Editor(fresh()).put("/fclib_local/W/i", std::vector<double>(36, 0));
  EXPECT_THAT(refusal(), HasSubstr("i: does not hold integers"));
  Editor(fresh()).put("/fclib_local/W/x", std::vector<int>(36, 0));
  EXPECT_THAT(refusal(), HasSubstr("x: does not hold floating-point numbers"));
  const long long huge = 1LL << 40;
  Editor(fresh()).put("/fclib_local/W/n", H5T_STD_I64LE, H5T_NATIVE_LLONG, 1, &huge);
  EXPECT_THAT(refusal(), HasSubstr("n: is 1099511627776"));
  Editor(fresh()).put("/fclib_local/W/x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, hsize_t{1} << 40, nullptr);
  EXPECT_THAT(refusal(), HasSubstr("claims to have 1099511627776 numbers"));
}

TEST_F(ContactProblemFile, WhatIsNoHdf5FileIsRefused) {
  std::ofstream(path_).close();
  EXPECT_THAT(refusal(), HasSubstr("is empty"));
  std::ofstream(path_) << "freeplay: 1\n";
  EXPECT_THAT(refusal(), HasSubstr("is not an HDF5 file"));
  EXPECT_THROW(read_contact_problem(folder_ / "missing.hdf5"), IoError);
  EXPECT_THROW(read_contact_problem(folder_.path()), IoError);
}

TEST_F(ContactProblemFile, WhatCannotBeWrittenIsAnInputOutputError) {
  std::ofstream(folder_ / "file") << "x";
  EXPECT_THROW(write_contact_problem(folder_ / "file" / "problem.hdf5", unsolvable()), IoError);
  EXPECT_THROW(write_contact_solution(folder_.path(), {}, {}, {}), IoError) << "a folder stands there";
}

// What HDF5 itself survives is up to HDF5 (the command reads a file in a child process first); these are files that it
// reads without complaint.
TEST_F(ContactProblemFile, RandomNumbersAreReadAsAProblemThatKeepsItsPromisesOrRefused) {
  std::mt19937 random(20);
  const auto spoil = [&](int& value) {
    constexpr int kExtremes[] = {
        -1, 0, 1, 2, 3, 4, 7, 1000, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};
    value = kExtremes[random() % std::size(kExtremes)];
  };
  int refused = 0;
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    ContactProblem problem = round % 2 == 0 ? with_bilateral_row() : open_stick_slip();
    std::vector<int*> integers = {&problem.dimension, &problem.W.rows, &problem.V.rows, &problem.R.rows};
    for (CompressedColumns* matrix : {&problem.W, &problem.V, &problem.R}) {
      for (std::vector<int>* list : {&matrix->begin, &matrix->row}) {
        for (int& value : *list) integers.push_back(&value);
      }
    }
    for (std::size_t k = 0; k < 1 + random() % 3; ++k) spoil(*integers[random() % integers.size()]);
    write_contact_problem(path_, problem);
    try {
      const ContactProblem read = read_contact_problem(path_);
      ASSERT_EQ(read.q.size(), read.mu.size() * static_cast<std::size_t>(read.dimension));
      ASSERT_EQ(ContactLocalProblem(read).view().size(), static_cast<int>(read.q.size()) + read.bilateral_count());
    } catch (const ModelError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, kRounds / 2);
}

TEST_F(ContactProblemFile, CutAnywhereIsRefused) {
  write_contact_problem(path_, with_bilateral_row());
  const std::string whole = bytes_of(path_);
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    std::ofstream(path_, std::ios::binary) << whole.substr(0, size);
    EXPECT_NE(refusal(), "") << size;
  }
}

}  // namespace

}  // namespace freeplay::test::contact_problem_file_test
