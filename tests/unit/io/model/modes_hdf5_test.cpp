// Files of modes in HDF5: the same body as from the text, and what is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/modes/modes_file.h"
#include "model_test_support.h"

namespace freeplay::test::modes_hdf5_test {
namespace {

using io::hdf5::Dataset;
using io::hdf5::Dataspace;
using io::hdf5::File;
using io::hdf5::Group;
using testing::HasSubstr;

// Arrays of a file, by path: "nodes/mass".
struct Arrays {
  struct Array {
    std::vector<hsize_t> extents;
    std::vector<double> values;
  };
  std::map<std::string, Array> numbers;
  std::vector<std::string> names;

  void write(const std::filesystem::path& path) const {
    const File file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const Group nodes(H5Gcreate2(file.get(), "nodes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const Group modes(H5Gcreate2(file.get(), "modes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    for (const auto& [name, array] : numbers) {
      const Dataspace space(H5Screate_simple(static_cast<int>(array.extents.size()), array.extents.data(), nullptr));
      const Dataset dataset(
          H5Dcreate2(file.get(), name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      EXPECT_GE(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()), 0);
    }
    if (!names.empty()) io::hdf5::write_text_dataset(nodes.get(), "name", names);
  }
};

// Two nodes and two modes in the plane.
Arrays planar() {
  Arrays arrays;
  arrays.numbers = {
      {"nodes/place", {{2, 2}, {0, 0, 1, 0}}},      {"nodes/mass", {{2}, {1, 2}}},
      {"nodes/inertia", {{2}, {0.01, 0.02}}},       {"modes/displacement", {{2, 2, 2}, {0, 0, 0, 1, 0, 0, 0.5, 0}}},
      {"modes/rotation", {{2, 2}, {0, 1.5, 0, 0}}}, {"frequencies", {{2}, {3, 40}}}};
  return arrays;
}
constexpr const char* kPlanarText =
    "nodes\nnode,x,y,mass,Izz\n1,0,0,1,0.01\n2,1,0,2,0.02\n"
    "modes\nmode,node,ux,uy,rz\n1,1,0,0,0\n1,2,0,1,1.5\n2,1,0,0,0\n2,2,0.5,0,0\nfrequencies\n3\n40\n";

void expect_same(const ModesFile& a, const ModesFile& b) {
  ASSERT_TRUE(a.problem.empty()) << a.problem.message;
  ASSERT_TRUE(b.problem.empty()) << b.problem.message;
  ASSERT_EQ(a.body->nodes.size(), b.body->nodes.size());
  for (std::size_t i = 0; i < a.body->nodes.size(); ++i) {
    const ElasticNode &of_a = a.body->nodes[i], &of_b = b.body->nodes[i];
    EXPECT_EQ(of_a.name, of_b.name);
    EXPECT_EQ(of_a.at_m, of_b.at_m);
    EXPECT_EQ(of_a.mass_kg, of_b.mass_kg);
    EXPECT_EQ(of_a.inertia_kg_m2, of_b.inertia_kg_m2);
    EXPECT_EQ(of_a.shapes, of_b.shapes);
    EXPECT_EQ(of_a.turns, of_b.turns);
    EXPECT_EQ(of_a.stresses, of_b.stresses);
    EXPECT_EQ(of_a.moments, of_b.moments);
  }
  EXPECT_EQ(a.body->frequencies_rad_s, b.body->frequencies_rad_s);
  EXPECT_EQ(a.body->stiffness, b.body->stiffness);
  EXPECT_EQ(a.body->mass, b.body->mass);
}

class ModesOfAnHdf5File : public testing::Test {
 protected:
  ModesFile read(const Arrays& arrays, Space space = Space::kPlanar, int modes = 0) const {
    arrays.write(folder_.path() / "modes.h5");
    return read_modes_file(std::filesystem::canonical(folder_.path()), "modes.h5", space, modes);
  }
  ScratchFolder folder_;
};

TEST_F(ModesOfAnHdf5File, AreThoseOfTheText) {
  expect_same(read(planar()), read_modes_text(kPlanarText, "modes.csv", Space::kPlanar, 0));
  expect_same(read(planar(), Space::kPlanar, 1), read_modes_text(kPlanarText, "modes.csv", Space::kPlanar, 1));
}

TEST_F(ModesOfAnHdf5File, HaveMatricesAndNodesWithoutRotationsInSpace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Arrays arrays;
  arrays.names = {"a", "b"};
  arrays.numbers = {{"nodes/place", {{2, 3}, {0, 0, 0, 1, 0, 0}}},
                    {"nodes/mass", {{2}, {1, 1}}},
                    {"nodes/inertia", {{2, 3}, {0.1, 0.2, 0.3, 0, 0, 0}}},
                    {"modes/displacement", {{2, 2, 3}, {0, 0, 0, 0, 1, 0.5, 0, 0, 0, 1, 0, 0}}},
                    {"modes/rotation", {{2, 2, 3}, {0.1, 0.2, 0.3, nan, nan, nan, 0, 0, 0, nan, nan, nan}}},
                    {"stiffness", {{2, 2}, {5, 1, 1, 7}}},
                    {"mass", {{2, 2}, {1.25, 0, 0, 1}}}};
  const char* text =
      "nodes\nnode,x,y,z,mass,Ixx,Iyy,Izz\na,0,0,0,1,0.1,0.2,0.3\nb,1,0,0,1,0,0,0\n"
      "modes\nmode,node,ux,uy,uz,rx,ry,rz\n1,a,0,0,0,0.1,0.2,0.3\n1,b,0,1,0.5,,,\n2,a,0,0,0,0,0,0\n2,b,1,0,0,,,\n"
      "stiffness\n5,1\n1,7\nmass\n1.25,0\n0,1\n";
  expect_same(read(arrays, Space::kSpatial), read_modes_text(text, "modes.csv", Space::kSpatial, 0));
}

TEST_F(ModesOfAnHdf5File, HaveStressesAndMoments) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Arrays arrays = planar();
  arrays.numbers["modes/stress"] = {{2, 2, 3}, {1, 2, 3, nan, nan, nan, 4, 5, 6, nan, nan, nan}};
  arrays.numbers["modes/moment"] = {{2, 2}, {7, 0, 8, 0}};
  const std::string text = std::string(kPlanarText) +
                           "stresses\nmode,node,sxx,syy,sxy\n1,1,1,2,3\n2,1,4,5,6\n"
                           "moments\nmode,node,moment\n1,1,7\n1,2,0\n2,1,8\n2,2,0\n";
  expect_same(read(arrays), read_modes_text(text, "modes.csv", Space::kPlanar, 0));
  expect_same(read(arrays, Space::kPlanar, 1), read_modes_text(text, "modes.csv", Space::kPlanar, 1));
}

TEST_F(ModesOfAnHdf5File, MakeABodyOfAModel) {
  planar().write(folder_.path() / "modes.hdf5");
  const auto path =
      folder_.write("model.yaml",
                    "freeplay: 1\nspace: planar\nbodies: {beam: {elastic: {file: modes.hdf5, modes: 1}}}\n"
                    "joints: {root: {type: fixed, parent: ground, child: beam}}\nsimulate: {duration: 1 s}\n");
  const ModelFile model = load_model(path);
  EXPECT_EQ(model.mechanism.bodies.at(0).mass_kg, 3);
  EXPECT_EQ(build_system(model)->velocity_count(), 1);
}

TEST_F(ModesOfAnHdf5File, AreRefusedWithTheReasonWhereTheyAreWrong) {
  using Change = std::function<void(Arrays&)>;
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const std::pair<Change, const char*> mistakes[] = {
      {[](Arrays& a) { a.numbers.erase("nodes/mass"); }, "has no array 'mass'"},
      {[](Arrays& a) {
         a.numbers["nodes/mass"] = {{3}, {1, 1, 1}};
       },
       "'mass' of 'modes.h5' has the extents [3]"},
      {[](Arrays& a) {
         a.numbers["nodes/mass"] = {{2}, {1, -1}};
       },
       "node 2 has a negative mass"},
      {[](Arrays& a) {
         a.numbers["nodes/place"] = {{2, 3}, {0, 0, 0, 1, 0, 0}};
       },
       "has the extents [2, 3]"},
      {[&](Arrays& a) { a.numbers["nodes/place"].values[2] = nan; }, "number 3 of 'place' in 'modes.h5' is not finite"},
      {[&](Arrays& a) { a.numbers["modes/displacement"].values[0] = nan; }, "is not finite"},
      {[](Arrays& a) { a.numbers["frequencies"].values[0] = 0; }, "the frequency 0 Hz, which is not positive"},
      {[](Arrays& a) {
         a.numbers["frequencies"] = {{1}, {3}};
       },
       "'frequencies' of 'modes.h5' has the extents [1]"},
      {[](Arrays& a) { a.numbers.erase("frequencies"); }, "needs either 'stiffness' or 'frequencies'"},
      {[&](Arrays& a) {
         a.numbers["modes/stress"] = {{2, 2, 3}, {1, nan, 3, 0, 0, 0, 4, 5, 6, 0, 0, 0}};
       },
       "some numbers of 'stress' in 'modes.h5' are not finite"},
      {[](Arrays& a) {
         a.numbers["modes/moment"] = {{2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}};
       },
       "'moment' of 'modes.h5' has the extents [2, 2, 2]"},
      {[](Arrays& a) { a.names = {"a"}; }, "has 1 names for 2 nodes"},
      {[](Arrays& a) {
         a.names = {"a", "a"};
       },
       "has a second node a"}};
  for (const auto& [change, message] : mistakes) {
    Arrays arrays = planar();
    change(arrays);
    const ModesFile file = read(arrays);
    EXPECT_EQ(file.body, nullptr) << message;
    EXPECT_THAT(file.problem.message, HasSubstr(message));
    EXPECT_FALSE(file.problem.hint.empty());
  }
  EXPECT_THAT(read(planar(), Space::kPlanar, 3).problem.message, HasSubstr("has 2 modes"));
  folder_.write("modes.h5", "no such file");
  EXPECT_THAT(
      read_modes_file(std::filesystem::canonical(folder_.path()), "modes.h5", Space::kPlanar, 0).problem.message,
      HasSubstr("is not an HDF5 file"));
}

}  // namespace
}  // namespace freeplay::test::modes_hdf5_test
