@tool
extends RefCounted
## Names close to one that does not exist.
##
## Similarity is twice the number of matching characters over the number of all,
## the longest common run matched first, then the parts on both sides of it; letter
## case does not count. The server and the simulated editor measure alike, so that
## suggestions are the same everywhere.

const CUTOFF := 0.5
## More candidates than this are not looked at: a suggestion is not worth a stall.
const MOST_CANDIDATES := 4000
## ClassDB.APIType of a class that is not exposed.
const HIDDEN := 4


## Up to [param count] candidates with a similarity of at least 0.5, best first,
## equals in alphabetical order.
static func close(wanted: String, candidates: PackedStringArray, count: int = 3) -> Array[String]:
	var found: Array[Array] = []
	var lower: String = wanted.to_lower()
	for i: int in mini(candidates.size(), MOST_CANDIDATES):
		var other: String = candidates[i].to_lower()
		var total: int = lower.length() + other.length()
		if total == 0 or 2.0 * mini(lower.length(), other.length()) / total < CUTOFF:
			continue
		var score: float = 2.0 * _matching(lower, other) / total
		if score >= CUTOFF:
			found.append([score, candidates[i]])
	found.sort_custom(func(a: Array, b: Array) -> bool:
		return a[1] < b[1] if a[0] == b[0] else a[0] > b[0])
	var out: Array[String] = []
	for pair: Array in found:
		if out.size() < count and pair[1] not in out:
			out.append(pair[1] as String)
	return out


## The engine classes below [param base] that scripts can name; the editor has many
## more for itself.
static func known_classes(base: StringName) -> PackedStringArray:
	var all: PackedStringArray = ClassDB.get_inheriters_from_class(base)
	all.append(base)
	if not ClassDB.has_method(&"class_get_api_type"):
		return all
	var out: PackedStringArray = []
	for name: String in all:
		if ClassDB.call(&"class_get_api_type", name) != HIDDEN:
			out.append(name)
	return out


static func _matching(a: String, b: String) -> int:
	if a == "" or b == "":
		return 0
	var best: int = 0
	var best_a: int = 0
	var best_b: int = 0
	var width: int = b.length()
	var row: PackedInt32Array = []
	row.resize(width + 1)
	for i: int in a.length():
		var letter: String = a[i]
		for j: int in range(width - 1, -1, -1):
			if letter != b[j]:
				row[j + 1] = 0
				continue
			var run: int = row[j] + 1
			row[j + 1] = run
			if run > best:
				best = run
				best_a = i + 1 - run
				best_b = j + 1 - run
	if best == 0:
		return 0
	return best + _matching(a.left(best_a), b.left(best_b)) + _matching(a.substr(best_a + best), b.substr(best_b + best))
