// Which channels a comparison shows and which ones it computes with.
#pragma once

#include <string>
#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::study {

// Of a model whose user named none: the energy, gaps of the first contacts, and how the first bodies move; those of the
// `record` list come first.
std::vector<std::string> chosen_curves(const ModelFile& file, const System& system, const ContactModel& contacts);

// Throws UnknownChannel, with "did you mean", for a name that no run of the model can record.
void check_curves(const std::vector<std::string>& curves, const System& system, const ContactModel& contacts);

// What says where the bodies are: their poses; of a system given as code all lengths and angles among its channels.
std::vector<std::string> coordinate_channels(const System& system);

// The curves, and what matching, quantities and the twin need.
std::vector<std::string> kept_channels(const System& system, const ContactModel& contacts,
                                       const std::vector<std::string>& curves);

// "guide.normal_force_1" of a contact point
std::string point_channel(const ContactPoint& point, const char* quantity);

}  // namespace freeplay::study
