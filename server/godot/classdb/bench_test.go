package classdb

import "testing"

// BenchmarkFirstUse is what a process pays before the first answer.
func BenchmarkFirstUse(b *testing.B) {
	for b.Loop() {
		t := parseTable(unpack(tableGz))
		t.classes["Sprite2D"].resolve()
	}
}

// BenchmarkFirstMethods is the further cost of the first question about methods.
func BenchmarkFirstMethods(b *testing.B) {
	for b.Loop() {
		eachLine(unpack(methodsGz), func(string, string, string, []byte) {})
	}
}

// BenchmarkResolveAll parses the properties of all classes.
func BenchmarkResolveAll(b *testing.B) {
	for b.Loop() {
		for _, e := range parseTable(unpack(tableGz)).classes {
			e.resolve()
		}
	}
}

// BenchmarkProperty is a look-up in a class that was parsed before.
func BenchmarkProperty(b *testing.B) {
	for b.Loop() {
		Property("Sprite2D", "position")
	}
}
