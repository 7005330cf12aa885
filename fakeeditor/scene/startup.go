package scene

import (
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/godot/config"
	"godot-mcp/server/godot/tscn"
	"godot-mcp/server/godot/variant"
)

// Startup is what an editor reads of its project when it starts and holds from then
// on, whatever happens to the files (engine 4.6 experiments).
type Startup struct {
	// Buses are the audio buses in order; the first is Master.
	Buses []string
	// Variations are the type variations of the project's own theme, sorted: for a type
	// those that are based on it, directly or through others.
	Variations map[string][]string
	// Globals are the types of the global parameters of shaders.
	Globals map[string]string
	// PhysicalLights says that lights have intensities and temperatures.
	PhysicalLights bool
}

const masterBus = "Master"

// ReadStartup reads the file of an audio bus layout, that of a theme, and the settings of
// the project; either file may be "", for none. A file that is no such resource counts as
// none.
func ReadStartup(buses, theme string, settings *config.File) Startup {
	out := Startup{Buses: readBuses(buses), Variations: readVariations(theme), Globals: map[string]string{}}
	physical, _ := settings.Get("rendering", "lights_and_shadows/use_physical_light_units")
	out.PhysicalLights, _ = physical.Bool()
	for _, name := range settings.Keys("shader_globals") {
		v, _ := settings.Get("shader_globals", name)
		d, ok := v.Dictionary()
		if !ok {
			continue
		}
		typ, _ := d.Get(variant.String("type"))
		if _, valued := d.Get(variant.String("value")); valued {
			out.Globals[name], _ = typ.Text()
		}
	}
	return out
}

// resourceOf gives the properties of the main resource of a file, if it is of a class.
func resourceOf(text, class string) []tscn.Property {
	f, err := tscn.ParseText(text)
	if err != nil || f.Header() == nil || f.Header().AttrText("type") != class {
		return nil
	}
	last := f.Sections[len(f.Sections)-1]
	if last.Tag != tscn.TagResource {
		return nil
	}
	return last.Properties()
}

func readBuses(text string) []string {
	out := []string{masterBus}
	for _, p := range resourceOf(text, "AudioBusLayout") {
		number, isName := strings.CutSuffix(strings.TrimPrefix(p.Key, "bus/"), "/name")
		i, err := strconv.Atoi(number)
		name, ok := p.Value.Text()
		if !isName || err != nil || !ok || i < 1 {
			continue
		}
		for len(out) <= i {
			out = append(out, "")
		}
		out[i] = name
	}
	return out
}

func readVariations(text string) map[string][]string {
	base := map[string]string{}
	for _, p := range resourceOf(text, "Theme") {
		if name, ok := strings.CutSuffix(p.Key, "/base_type"); ok {
			base[name], _ = p.Value.Text()
		}
	}
	out := map[string][]string{}
	for name := range base {
		seen := map[string]bool{name: true}
		for b := base[name]; b != "" && !seen[b]; b = base[b] {
			seen[b] = true
			out[b] = append(out[b], name)
		}
	}
	for _, names := range out {
		slices.Sort(names)
	}
	return out
}

// busOwners are the classes with properties that name an audio bus. Their getters give
// Master for one that there is not, so that a save leaves the name out (engine 4.6
// experiment).
var busOwners = map[string]bool{
	"AudioStreamPlayer.bus": true, "AudioStreamPlayer2D.bus": true, "AudioStreamPlayer3D.bus": true, "VideoStreamPlayer.bus": true,
	"Area2D.audio_bus_name": true, "Area3D.audio_bus_name": true, "Area3D.reverb_bus_name": true,
}

// existingBus gives the name of an audio bus, or Master if there is none of the name.
func (e Env) existingBus(v variant.Value) variant.Value {
	if name, ok := v.Text(); ok && !slices.Contains(e.Lib.Startup().Buses, name) {
		return variant.StringName(masterBus)
	}
	return v
}

// typeVariations is the hint of the type variations of a control or window: those of
// the engine's theme and of the project's.
func (e Env) typeVariations(class string) string {
	own := e.Lib.Startup().Variations[class]
	if len(own) == 0 {
		return variations[class]
	}
	names := append(strings.Split(strings.TrimSuffix(variations[class], ","), ","), own...)
	slices.Sort(names)
	return strings.TrimPrefix(strings.Join(slices.Compact(names), ",")+",", ",")
}
