// Fills a ModelFile from the tree of its nodes, section by section. Private to freeplay/io.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/geometry/shapes/cam_checks.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/io/yaml/block_reader.h"
#include "freeplay/io/yaml/value_reader.h"
#include "freeplay/model/body_fill.h"

namespace freeplay::io {

struct CsvTable;

class ModelReader {
 public:
  // `folder`: where the model's file is, canonical; empty for a text in memory, which cannot name files.
  ModelReader(ValueReader& values, ModelFile& model, std::filesystem::path folder)
      : values_(values), model_(model), folder_(std::move(folder)) {}

  void read(const YamlNode& root);

 private:
  // model_reader.cpp
  bool read_space(BlockReader& top);
  void read_system(BlockReader& top);
  void read_mechanism(BlockReader& top);
  // Registers the name of a body, joint, contact, force or driver; reports names that are malformed, reserved or taken.
  void claim_name(const YamlEntry& entry, const std::string& path, std::string_view what);
  // Also of what has its name from here, such as c_1 of a contact c; false after a report.
  bool claim(const std::string& name, SourcePosition at, const std::string& path, std::string_view what);

  // model_reader_bodies.cpp
  void read_bodies(const YamlEntry* bodies);
  void read_body(const YamlEntry& entry);
  void read_initial(BlockReader& block, BodyInitialSpec& initial);
  void read_guess(BlockReader& block, BodyInitialSpec& guess);
  void check_inertia(BlockReader& block, const Mat3& inertia);

  // model_reader_elastic.cpp
  ElasticSpec read_elastic(BlockReader& block);
  void read_elastic_shapes(BlockReader& block, ElasticSpec& beam);
  void read_elastic_section(BlockReader& block, ElasticSpec& beam);
  void read_elastic_file(BlockReader& block, ElasticSpec& body);
  std::vector<std::string> read_node_names(BlockReader& block);
  void refuse_rigid_keys(BlockReader& block);

  // model_reader_shapes.cpp
  // `material`: of shapes that name none.
  void read_shapes(const YamlEntry* shapes, const std::string& body, const std::string& path, int material);
  // The table of the entry's `type`, or null after a report. `possible` is what messages propose.
  const BlockTable* table_of_type(const YamlEntry& entry, const std::string& path, std::string_view family,
                                  const std::vector<std::string>& possible, Space space);
  ShapeGeometry read_geometry(BlockReader& block, std::string_view type);
  std::vector<Expression> read_surface_velocity(BlockReader& block);
  void read_pattern(BlockReader& block, const ShapeSpec& shape);  // adds the copies of the shape

  // model_reader_contours.cpp
  SplineShape read_spline(BlockReader& block);
  std::optional<ShapeGeometry> read_contour(BlockReader& block, std::string_view type);
  CamShape read_cam(BlockReader& block);
  void read_turn(BlockReader& block, ShapeSpec& shape);  // of a cam

  // model_reader_surfaces.cpp
  std::optional<ShapeGeometry> read_surface(BlockReader& block, std::string_view type);
  RevolutionShape read_revolution(BlockReader& block);

  // model_reader_meshes.cpp
  MeshShape read_mesh(BlockReader& block);
  // `inertia: from-shape`. Reads `inertia`, `mass`, `density`, `thickness`, once the shapes are known.
  void read_mass(BlockReader& block, BodySpec& body);

  // model_reader_joints.cpp
  void read_joints(const YamlEntry* joints);
  void read_joint(const YamlEntry& entry);
  std::string read_joint_type(BlockReader& block);
  void read_joint_initial(BlockReader& block, JointSpec& joint);
  // The quaternion among the initial coordinates of a ball joint gets the length 1, or is reported.
  void check_quaternion(BlockReader& initial, JointSpec& joint);
  void read_play(BlockReader& block, JointSpec& joint, bool has_clearance);
  // Of a pin that runs in the middle of its slot, ideal or elastic: the ends as stops.
  void read_ends_of_slot(BlockReader& block, const ClearanceJointSpec& slot, JointSpec& joint);
  // Read whatever the model word is; fills joint.bushing if the joint is one.
  void read_bushing(BlockReader& block, bool is_bushing, JointSpec& joint);
  // Any two of clearance and radii give the third; false after a report that leaves no play to speak of.
  std::vector<Vec2> read_section(BlockReader& block);
  void check_size_of_play(BlockReader& block, const ClearanceJointSpec& play);
  void check_curve_of_slot(BlockReader& block, const ClearanceJointSpec& play);
  bool fit_radii(BlockReader& block, std::optional<double> clearance_m, ClearanceJointSpec& play);

  // model_reader_joint_laws.cpp
  void read_joint_laws(BlockReader& block, const std::string& model, JointSpec& joint);
  void read_stops(BlockReader& block, const std::vector<Dimension>& coordinates, JointSpec& joint, JointLawSpec& law);
  JointLawSpec& law_of_joint(const std::string& joint);
  ContactForceSpec read_stop_force(BlockReader& block, Dimension coordinate);
  JointFrictionSpec read_joint_friction(BlockReader& block, bool slides);

  // model_reader_wear.cpp: lubricants and wear
  std::optional<LubricantSpec> read_lubricant(BlockReader& block, const ClearanceJointSpec& play);
  // Of a joint that has play.
  void check_lubricant(BlockReader& block, const ClearanceJointSpec& play);
  std::optional<WearSpec> read_wear(BlockReader& block);

  // model_reader_contacts.cpp
  void read_contacts(const YamlEntry* contacts);
  void read_contact(const YamlEntry& entry);
  // False after a report.
  bool may_touch(BlockReader& block, const ContactSpec& contact);
  // The shapes that a name in `between` means, "body.shape" or "body.shap*"; none after a report.
  std::vector<std::string> named_shapes(const YamlNode& node, const std::string& path, std::optional<int> number);
  bool add_contacts(BlockReader& block, const ContactSpec& contact, const YamlNode& between,
                    std::optional<std::array<int, 2>> numbers);
  void add_numbered_contacts(BlockReader& block, BlockReader& pattern, const ContactSpec& contact,
                             const YamlNode& between);
  ContactLawSpec read_law(BlockReader& block);
  FrictionLawSpec read_friction_law(BlockReader& block);
  ContactForceSpec read_contact_force(BlockReader& block);

  // model_reader_scenes.cpp: many bodies like one
  // False if the block asks for no copies: then it is one body.
  bool add_copies(BlockReader& block, const BodySpec& body, std::size_t first_shape);
  FillSpec read_fill(BlockReader& block);
  PatternSpec read_body_pattern(BlockReader& block);
  void check_template(BlockReader& block, const BodySpec& body, bool is_filled);
  // False after a report.
  bool add_copy(BlockReader& block, const BodySpec& body, const std::vector<ShapeSpec>& shapes, const BodyPlace& place,
                std::size_t number);

  // Whether it would be a copy of a body whose copies could not be made, which has been reported.
  bool misses_copies(const std::string& name) const;

  // model_reader_materials.cpp: materials, and groups of shapes
  void read_materials(const YamlEntry* materials);
  // The index of the material that the block names; `otherwise` if it names none, less than 0 if there is no such one.
  int read_material(BlockReader& block, int otherwise);
  void read_groups(const YamlEntry* groups);
  void read_group(const YamlEntry& entry);
  std::vector<ContactGroupSpec::Member> read_members(BlockReader& block, std::string_view key);
  // The shapes that a name of a member means; none after a report.
  std::vector<std::size_t> member_shapes(const YamlNode& node, const std::string& path);
  void add_material_laws(BlockReader& block, ContactGroupSpec& group);

  // model_reader_couplings.cpp
  void read_couplings(const YamlEntry* couplings);
  void read_coupling(const YamlEntry& entry);
  void read_gear(BlockReader& block, CouplingSpec& coupling);
  void read_carrier(BlockReader& block, const JointSpec& first, const JointSpec& second, CouplingSpec& coupling);
  void read_pair(BlockReader& block, std::string_view type, CouplingSpec& coupling);
  void read_coupler(BlockReader& block, CouplingSpec& coupling);
  void read_coupling_model(BlockReader& block, CouplingSpec& coupling);
  void read_coupling_stiffness(const YamlEntry* couplings);
  const JointSpec* add_term(BlockReader& block, std::string_view key, std::string_view joint_type, double factor,
                            CouplingSpec& coupling);

  // model_reader_forces.cpp
  void read_forces(const YamlEntry* forces);
  void read_force(const YamlEntry& entry);
  void read_drivers(const YamlEntry* drivers);
  void read_driver(const YamlEntry& entry);
  static std::optional<SamplingSpec> read_sampling(BlockReader& block);
  // `effort`: torque or force.
  std::optional<PidSpec> read_pid(BlockReader block, const JointSpec& joint, Dimension effort, bool is_limited);
  static void read_anti_windup(BlockReader& block, bool is_limited, PidSpec& pid);

  // model_reader_tables.cpp
  struct TableColumn {
    std::vector<double> values;  // SI
    Dimension dimension;
  };
  void read_functions(const YamlEntry* functions);
  // `{table: {...}, of: crank.angle}` where an expression may stand.
  std::optional<Expression> read_value_by_table(const YamlNode& node, const std::string& path, Dimension expected,
                                                Dependence dependence);
  // `argument`, `value`: the dimensions of columns that do not say theirs, where the context does.
  std::optional<NamedFunction> read_table(BlockReader& block, std::optional<Dimension> argument,
                                          std::optional<Dimension> value);
  std::optional<TableColumn> read_table_column(BlockReader& block, const CsvTable& file, std::string_view key,
                                               std::string_view unit_key, std::optional<Dimension> otherwise);

  // model_reader_run.cpp
  void read_simulate(BlockReader& top);
  void read_record(const YamlEntry* record);
  void read_measures(const YamlEntry* measures);
  std::vector<std::string> read_channels(const YamlNode& node, const std::string& path);

  // A joint that has been read; null if its type is unknown.
  const JointSpec* find_joint(const std::string& name) const;
  // The joint that a force, driver or coupling acts on; null after a report.
  const JointSpec* acted_joint(BlockReader& block, std::string_view key);

  struct Claim {
    std::string_view what;
    SourcePosition at;
  };
  // A mesh as it was asked for: the same file in the same place is read once, also if something is wrong with it.
  struct ReadMesh {
    MeshPtr mesh;
    ShapeProblem problem;
  };
  ReadMesh load_mesh(const std::string& file, double metres_per_unit, bool by_centroid, const Frame& place);

  struct Material {
    std::string name;
    std::optional<double> density_kg_m3;
    const YamlEntry* entry = nullptr;
  };
  struct MaterialPair {
    ContactLawSpec law;
    SourcePosition at;
  };
  // The shapes of all copies of a body stand together.
  struct Copies {
    std::size_t first_shape = 0, last_shape = 0;
  };

  ValueReader& values_;
  ModelFile& model_;
  std::filesystem::path folder_;
  std::map<std::string, ReadMesh> meshes_;
  std::size_t mesh_triangles_ = 0, bad_meshes_ = 0;
  std::map<std::string, Claim> names_;  // of bodies, joints, contacts, forces, drivers
  std::set<std::string> body_names_;    // without the ground
  std::set<std::string> joint_names_;
  std::map<std::string, std::string> shape_types_;  // "body.shape" -> type
  std::vector<Material> materials_;
  std::map<std::pair<int, int>, MaterialPair> material_pairs_;  // the smaller index first
  std::vector<int> shape_materials_;                            // of ModelSpec::shapes; -1: none
  std::map<std::string, Copies> copies_;                        // by the name of what was copied
  BallGrid taken_;                                              // by copies so far
  Space space() const { return model_.mechanism.space; }
};

}  // namespace freeplay::io
