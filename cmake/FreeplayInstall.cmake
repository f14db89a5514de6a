# `cmake --install` and find_package(freeplay).
include(CMakePackageConfigHelpers)
get_property(layers GLOBAL PROPERTY FREEPLAY_LAYERS)

add_library(freeplay_all INTERFACE)
add_library(freeplay::freeplay ALIAS freeplay_all)
set_target_properties(freeplay_all PROPERTIES EXPORT_NAME freeplay)
target_link_libraries(freeplay_all INTERFACE ${layers})

install(TARGETS ${layers} freeplay_all EXPORT freeplayTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS freeplay_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY freeplay DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT freeplayTargets NAMESPACE freeplay:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/freeplay)
configure_package_config_file(cmake/freeplayConfig.cmake.in freeplayConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/freeplay)
write_basic_package_version_file(freeplayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/FreeplaySundials.cmake ${PROJECT_BINARY_DIR}/freeplayConfig.cmake ${PROJECT_BINARY_DIR}/freeplayConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/freeplay)

# apps/freeplay has made these with the command.
if(NOT CMAKE_CROSSCOMPILING)
  set(shared ${PROJECT_BINARY_DIR}/share)
  install(FILES ${shared}/freeplay.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${shared}/freeplay.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME freeplay)
  install(FILES ${shared}/_freeplay DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${shared}/freeplay.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
