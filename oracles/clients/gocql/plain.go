//go:build !v2 && !scylla

package main

import "keyfall/oracle"

var more map[string]oracle.Scheme
