package gdscript_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/godot/gdscript"
)

const enemy = `@tool
@icon("res://enemy.svg")
class_name Enemy
extends CharacterBody2D
## Documentation.

signal died
signal hit(amount: int, by)

enum State { IDLE, RUN = 5, JUMP }
enum { A, B }
const SPEED := 300.0
const Bullet = preload("res://bullet.tscn")

@export var hp: int = 10
@export_range(0, 100, 1) var armor := 5
@export_group("Look")
@export
var tint: Color = Color(1, 0.5, 0)
@export var target: Node2D
@onready var sprite: Sprite2D = $Sprite
var plain = "it's"
static var count = 0
var computed: int:
	get:
		return hp * 2
	set(value):
		hp = value

static func make(kind: String, level: int = 1, ...rest) -> Enemy:
	var e = load("res://enemy.tscn").instantiate()
	return e

func _ready():
	pass

class Loot extends RefCounted:
	var gold := 3
	func take() -> void:
		gold = 0

func last(): pass
`

func TestScanHeader(t *testing.T) {
	s := gdscript.Scan(enemy)
	assert.True(t, s.Tool)
	assert.Equal(t, "res://enemy.svg", s.Icon)
	assert.Equal(t, "Enemy", s.Name)
	assert.Equal(t, gdscript.Extends{Names: []string{"CharacterBody2D"}, Line: 4}, s.Extends)
	assert.Equal(t, []gdscript.Load{
		{Path: "res://bullet.tscn", Line: 13, Column: 16, Preload: true}, {Path: "res://enemy.tscn", Line: 31, Column: 10},
	}, s.Loads)
	path := gdscript.Scan("extends \"res://a.gd\".Inner\n")
	assert.Equal(t, gdscript.Extends{Path: "res://a.gd", Names: []string{"Inner"}, Line: 1}, path.Extends)
	assert.True(t, gdscript.Scan("@abstract class_name X extends Node\n").Abstract)
	assert.Empty(t, gdscript.Scan("").Name)
}

func TestScanMembers(t *testing.T) {
	s := gdscript.Scan(enemy)
	assert.Equal(t, []gdscript.Signal{
		{Name: "died", Line: 7}, {Name: "hit", Line: 8, Params: []gdscript.Param{{Name: "amount", Type: "int"}, {Name: "by"}}},
	}, s.Signals)
	require.Len(t, s.Enums, 2)
	assert.Equal(t, gdscript.EnumValue{Name: "RUN", Line: 10, Text: "5"}, s.Enums[0].Values[1])
	assert.Empty(t, s.Enums[1].Name)
	assert.Equal(t, gdscript.Constant{Name: "SPEED", Line: 12, Type: "float",
		Value: gdscript.Value{Source: "300.0", Literal: "300.0", Type: "float"}}, s.Constants[0])
	require.Len(t, s.Functions, 3)
	assert.Equal(t, gdscript.Function{Name: "make", Line: 30, EndLine: 32, Static: true, ReturnType: "Enemy", Params: []gdscript.Param{
		{Name: "kind", Type: "String"}, {Name: "level", Type: "int", Default: "1"}, {Name: "rest", Rest: true}}}, s.Functions[0])
	assert.Equal(t, 35, s.Functions[1].EndLine)
	assert.Equal(t, gdscript.Function{Name: "last", Line: 42, EndLine: 42}, s.Functions[2])
	require.Len(t, s.Classes, 1)
	loot := s.Classes[0]
	assert.Equal(t, "Loot", loot.Name)
	assert.Equal(t, []string{"RefCounted"}, loot.Extends.Names)
	assert.Equal(t, 37, loot.Line)
	assert.Equal(t, 40, loot.EndLine)
	assert.Equal(t, "gold", loot.Variables[0].Name)
	assert.Equal(t, "void", loot.Functions[0].ReturnType)
	assert.Equal(t, 42, s.EndLine)
}

func TestScanVariables(t *testing.T) {
	s := gdscript.Scan(enemy)
	byName := map[string]gdscript.Variable{}
	var order []string
	for _, v := range s.Variables {
		byName[v.Name] = v
		order = append(order, v.Name)
	}
	assert.Equal(t, []string{"hp", "armor", "tint", "target", "sprite", "plain", "count", "computed"}, order)
	assert.Equal(t, gdscript.Variable{Name: "hp", Line: 15, Export: "@export", Type: "int",
		Annotations: []gdscript.Annotation{{Name: "@export", Line: 15}},
		Value:       gdscript.Value{Source: "10", Literal: "10", Type: "int"}}, byName["hp"])
	armor := byName["armor"]
	assert.Equal(t, "@export_range", armor.Export)
	assert.Equal(t, []string{"0", "100", "1"}, armor.Annotations[0].Args)
	assert.True(t, armor.Inferred)
	assert.Equal(t, "int", armor.Type)
	assert.Equal(t, "Color(1, 0.5, 0)", byName["tint"].Value.Literal)
	assert.True(t, byName["tint"].Exported())
	assert.Equal(t, 19, byName["tint"].Line)
	assert.Equal(t, "Node2D", byName["target"].Type)
	assert.True(t, byName["sprite"].Onready)
	assert.False(t, byName["sprite"].Exported())
	assert.Equal(t, gdscript.Value{Source: "$Sprite"}, byName["sprite"].Value)
	assert.Equal(t, `"it's"`, byName["plain"].Value.Literal)
	assert.True(t, byName["count"].Static)
	assert.Equal(t, "int", byName["computed"].Type)
}

func TestScanLiterals(t *testing.T) {
	for source, want := range map[string][2]string{
		`1_000`:                    {"1000", "int"},
		`-0x10`:                    {"-16", "int"},
		`0b101`:                    {"5", "int"},
		`1.`:                       {"1.0", "float"},
		`-.5e3`:                    {"-500.0", "float"},
		`INF`:                      {"inf", "float"},
		`'a"b\n\u00e9'`:            {"\"a\\\"b\n\u00e9\"", "String"},
		`r"\d"`:                    {`"\\d"`, "String"},
		`"""x"y"""`:                {`"x\"y"`, "String"},
		`&"name"`:                  {`&"name"`, "StringName"},
		`^"A/B"`:                   {`NodePath("A/B")`, "NodePath"},
		`null`:                     {"null", ""},
		`true`:                     {"true", "bool"},
		`[1, "a", [],]`:            {`[1, "a", []]`, "Array"},
		`{"a": 1, 2: {}}`:          {`{"a": 1, 2: {}}`, "Dictionary"},
		`{b = 2}`:                  {`{"b": 2}`, "Dictionary"},
		`Vector2(1, -2.5)`:         {"Vector2(1, -2.5)", "Vector2"},
		`PackedInt32Array([1, 2])`: {"PackedInt32Array([1, 2])", "PackedInt32Array"},
		`Vector2.ZERO`:             {"", ""},
		`1 + 2`:                    {"", ""},
		`f()`:                      {"", ""},
		`preload("res://a.tscn")`:  {"", ""},
	} {
		s := gdscript.Scan("var a = " + source + "\n")
		require.Len(t, s.Variables, 1, source)
		v := s.Variables[0].Value
		assert.Equal(t, source, v.Source)
		assert.Equal(t, want[0], v.Literal, source)
		assert.Equal(t, want[1], v.Type, source)
	}
}

// A script with faults still gives what can be understood.
func TestScanBroken(t *testing.T) {
	s := gdscript.Scan("extends Node\nfunc f(:\n\tpass\n@export var hp = 1\nfoo bar\nsignal s\nfunc g():\n\tif x\n\t\tpass\nvar last\n")
	require.Len(t, s.Variables, 2)
	assert.Equal(t, "hp", s.Variables[0].Name)
	assert.Equal(t, "last", s.Variables[1].Name)
	assert.Len(t, s.Signals, 1)
	assert.Equal(t, "g", s.Functions[len(s.Functions)-1].Name)
}
