// Package variant holds the engine's values and their two forms: the engine's text, as in scenes, resources and
// project.godot, and JSON, as between the server and an editor.
//
// # JSON form
//
// This is the contract between the server, the addon and the simulated editor. A value is written in its natural form
// where the reader knows the declared type ([EncodeJSON]), and in its tagged form where it does not ([EncodeTagged]):
// inside untyped containers, in properties of new objects, and for undeclared values. The two differ only where plain
// JSON would not give the value back.
//
//	type                natural                              tagged
//	null, bool, String  null, true, "s"                      the same
//	int                 7                                    7
//	int beyond 2^53     {"type":"int","value":"-9007199254740993"}   the same
//	float               1.5, 2                               1.5, {"type":"float","value":2} if integral
//	inf, nan, -0        {"type":"float","value":"inf"}       the same; also "-inf", "nan", "-0"
//	StringName          "s"                                  {"type":"StringName","value":"s"}
//	NodePath            "A/B:position:x"                     {"type":"NodePath","value":"A/B:position:x"}
//	Vector2, Vector2i   {"x":1,"y":2}                        {"type":"Vector2","x":1,"y":2}
//	Vector3, Vector4    {"x":1,"y":2,"z":3,"w":4}            with "type" in front, here and below
//	Quaternion          {"x":0,"y":0,"z":0,"w":1}
//	Color               {"r":1,"g":0.5,"b":0,"a":1}
//	Rect2, AABB         {"position":{..},"size":{..}}
//	Plane               {"normal":{"x":0,"y":1,"z":0},"d":2}
//	Transform2D         {"x":{..},"y":{..},"origin":{..}}
//	Basis               {"x":{..},"y":{..},"z":{..}}         columns, as the engine's properties x, y, z
//	Transform3D         {"basis":{..},"origin":{..}}
//	Projection          {"x":{..},"y":{..},"z":{..},"w":{..}}
//	PackedByteArray     {"type":"PackedByteArray","base64":"AQI="}   the same
//	Packed...Array      an array of the elements' natural forms      {"type":"PackedInt32Array","value":[1,2]}
//	Array               an array of tagged elements          the same
//	Array[int]          {"type":"Array[int]","value":[1,2]}, elements natural    the same
//	Dictionary          an object with tagged values, if all keys are Strings and none is one of
//	                    type, resource, new, value, entries                      the same
//	  otherwise         {"type":"Dictionary","entries":[[key,value],...]}, both tagged
//	Dictionary[K, V]    {"type":"Dictionary[K, V]","entries":[[key,value],...]}, both natural
//	resource            {"resource":"res://a.tres"}, with "uid" and "class" if known; an embedded one is
//	                    {"resource":"res://main.tscn::RectangleShape2D_ab1cd","class":"RectangleShape2D"}
//	new object          {"new":"RectangleShape2D","properties":{"size":{"type":"Vector2","x":1,"y":2}}}, tagged
//	RID, Callable,      {"type":"Callable","text":"..."}, never accepted back
//	Signal
//
// Element types are named as in "int", "Node2D", "Variant", or "res://item.gd" for a script's class. Where an element
// has not the declared type (null among objects) it is tagged. The order of keys in objects and entries is that of
// the Dictionary.
//
// Numbers inside structs and packed float arrays that JSON cannot carry are the strings "inf", "-inf", "nan" and "-0";
// integers beyond 2^53 inside a PackedInt64Array are strings of digits. Undeclared plain numbers go by their value, as
// GDScript's JSON cannot tell 2 from 2.0: integral means int, anything else float. The engine's number parser is
// not exact; doubles are written with digits from which it and a correct parser get the same bits. For about one
// double of 17 digits in a hundred there are none: towards an editor ([EncodeWire]) such a one is written as
// {"type":"float","value":"0x3fb999999999999a"}, its 64 bits (a plain string inside PackedFloat64Array).
// Strings never hold raw control characters. Object members come in the order given above, but readers take any.
//
// # What DecodeJSON takes besides
//
// With a declared type: arrays of components ([-8,0,0]; nested for Basis and Transform3D, where a flat list would be
// ambiguous), a flat list of numbers for packed vectors and colors, "#rrggbb" and other lengths for Color, a Color
// without alpha, "res://..." and "uid://..." for objects, whole floats for int, JSON or the type's own constructor
// inside a string, numbers as text. [Decoded].Coerced marks where that took guessing. Unknown or missing keys, short
// arrays, fractions for int and numbers out of range are refused; nothing is filled in. No other expression is ever
// evaluated, so no text can name a class to be created or a file to be loaded except in "new" and "resource".
//
// Source: experiments with engine 4.6.3; TestEngineText (build tag godot) repeats them.
package variant
