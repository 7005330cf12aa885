package variant

// ReadsBack reports whether the engine reads a value from the text that it writes of it:
// it takes some numbers of many digits, or with large exponents, for a neighbour (engine
// 4.6). A number that is one of 32 bits is written and read as such.
func ReadsBack(v Value) bool {
	switch v.Type() {
	case TypeFloat:
		f, _ := v.Float()
		return floatReadsBack(f)
	case TypePackedFloat64Array:
		list, _ := v.Float64s()
		for _, f := range list {
			if !floatReadsBack(f) {
				return false
			}
		}
	case TypeArray:
		a, _ := v.Array()
		for _, item := range a.Items() {
			if !ReadsBack(item) {
				return false
			}
		}
	case TypeDictionary:
		d, _ := v.Dictionary()
		for _, e := range d.Entries() {
			if !ReadsBack(e.Key) || !ReadsBack(e.Value) {
				return false
			}
		}
	}
	return true
}

func floatReadsBack(f float64) bool {
	if f != f || float64(float32(f)) == f {
		return true
	}
	return parseEngineFloat(string(appendFloat(nil, f, Format3))) == f
}
