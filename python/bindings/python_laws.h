// Laws of contacts whose values are functions of Python.
#pragma once

#include <functional>
#include <initializer_list>

#include "models.h"

namespace freeplay::app::python {

// Calls a function of Python with numbers; what it gives is a number that is not below `least`.
using Asker =
    std::function<double(const py::function& function, std::initializer_list<double> arguments, double least)>;

// The call itself, whatever it raises. Takes the interpreter's lock.
double ask_number(const py::function& function, std::initializer_list<double> arguments, double least);

// Puts a law into the specification of its contact or joint with play; both must outlive what is built from it. Throws
// UsageError if the model has no such element.
void put_law(ModelSpec& spec, const PythonLaw& law, const Asker& ask);

}  // namespace freeplay::app::python
