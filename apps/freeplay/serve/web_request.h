// The text of HTTP: requests in, responses out.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "serve/loopback_server.h"

namespace freeplay::app {

// The answer to a whole request head, up to and with its empty line, as it goes over the wire.
std::string answer(std::string_view head, int port, const WebHandler& handler);
std::string wire_text(const WebResponse& response, bool with_body = true);

// "a=1&b=x%20y" as names and texts. False if a name comes twice or an escape is broken.
bool parse_query(std::string_view query, std::map<std::string, std::string>& values);

}  // namespace freeplay::app
