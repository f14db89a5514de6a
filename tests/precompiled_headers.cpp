// Carries the headers that CMakeLists.txt lets all tests share; as a program it does nothing.
int main() {
  return 0;
}
