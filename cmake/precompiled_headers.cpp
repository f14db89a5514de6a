// Carries the headers that FreeplayLayer.cmake lets all layers share.
