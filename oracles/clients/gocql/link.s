// The functions of link.go have no body here: the compiler takes that where there is a file of assembly.
