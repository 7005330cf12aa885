package scene

import (
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// tabContainer is the class that changes its children when they come, go, move or are
// shown. Scripts extend it, engine classes do not.
const tabContainer = "TabContainer"

// tabs lists the children of a container that are its tabs.
func (e Env) tabs(container NodeID) (out []NodeID) {
	for _, c := range e.Node(container).Children {
		if e.isTab(c) {
			out = append(out, c)
		}
	}
	return out
}

func (e Env) isTab(id NodeID) bool {
	n := e.Node(id)
	return classOf(n.Class).control && classdb.Exists(n.Class) && !e.flag(n, "top_level")
}

func (e Env) holdsTabs(id NodeID) bool {
	n := e.Node(id)
	return n != nil && n.Class == tabContainer
}

// numberTabs writes the places of tabs into their metadata.
func (e Env) numberTabs(tabs []NodeID) {
	for i, c := range tabs {
		if v, ok := e.Node(c).Props.Get(MetaPrefix + "_tab_index"); !ok || !v.Equal(variant.Int(int64(i))) {
			e.put(c, MetaPrefix+"_tab_index", variant.Int(int64(i)))
		}
	}
}

// settleTabs shows the current tab and hides the others, as the container does in a
// later frame and the addon at the end of a step.
func (e Env) settleTabs(container NodeID) {
	current := e.currentTab(container)
	for i, c := range e.tabs(container) {
		e.show(c, i == current)
	}
}

func (e Env) show(id NodeID, visible bool) {
	if e.flag(e.Node(id), "visible") != visible {
		e.put(id, "visible", variant.Bool(visible))
	}
}

func (e Env) currentTab(container NodeID) int { return e.number(e.Node(container), "current_tab") }

func (e Env) chooseTab(container NodeID, current int) {
	if e.currentTab(container) != current {
		e.put(container, "current_tab", variant.Int(int64(current)))
	}
}

// Joined tells a parent that has tabs that a node became its child: it hides it, unless
// it is the first, and numbers it. Containers that came along show their tabs.
func (e Env) Joined(id NodeID) {
	e.arrange(id)
	e.showWindows(id)
	parent := e.Node(id).Parent
	e.countSlots(parent)
	if !e.holdsTabs(parent) || !e.isTab(id) {
		return
	}
	tabs := e.tabs(parent)
	at, last := slices.Index(tabs, id), len(tabs)-1
	e.show(id, false)
	if last == 0 && !e.flag(e.Node(parent), "deselect_enabled") {
		e.chooseTab(parent, 0)
	}
	e.takeTitle(parent, last, id)
	e.shiftLooks(parent, last, at)
	e.chooseTab(parent, shifted(e.currentTab(parent), last, at))
	e.put(id, MetaPrefix+"_tab_index", variant.Int(int64(last)))
	e.numberTabs(tabs)
}

// Left tells a parent that a child has left it.
func (e Env) Left(parent NodeID) { e.countSlots(parent) }

// Leaving tells a parent that has tabs that a child is about to leave it: it takes its
// number and title away, and another tab becomes the current one.
func (e Env) Leaving(id NodeID) {
	parent := e.Node(id).Parent
	if !e.holdsTabs(parent) || !e.isTab(id) {
		return
	}
	tabs := e.tabs(parent)
	at, last := slices.Index(tabs, id), len(tabs)-1
	e.shiftLooks(parent, at, last)
	e.dropLooks(parent, last)
	e.numberTabs(slices.Delete(tabs, at, at+1))
	n := e.Edit(id)
	n.Props = n.Props.Without(MetaPrefix + "_tab_index").Without(MetaPrefix + "_tab_name")
	e.chooseTab(parent, e.tabAfter(parent, at, last))
}

// tabAfter gives the current tab when the one at a place is gone and count are left.
func (e Env) tabAfter(container NodeID, gone, count int) int {
	current := e.currentTab(container)
	if current >= gone && current > 0 {
		current--
	}
	if count == 0 || current < 0 {
		return -1
	}
	for i := current; i < count; i++ {
		if e.canChoose(container, i) {
			return i
		}
	}
	for i := current - 1; i >= 0; i-- {
		if e.canChoose(container, i) {
			return i
		}
	}
	return -1
}

// Renamed tells a parent that has tabs that one of them has another name, which is what
// tabs without a title show.
func (e Env) Renamed(id NodeID) {
	if parent := e.Node(id).Parent; e.TabOf(id) >= 0 {
		for i, c := range e.tabs(parent) {
			e.takeTitle(parent, i, c)
		}
	}
}

// Moved tells a parent that has tabs that a child got another place, with the one that
// it had among the tabs.
func (e Env) Moved(id NodeID, was int) {
	parent := e.Node(id).Parent
	if !e.holdsTabs(parent) {
		return
	}
	tabs := e.tabs(parent)
	if at := slices.Index(tabs, id); at >= 0 && was >= 0 {
		e.shiftLooks(parent, was, at)
		e.chooseTab(parent, shifted(e.currentTab(parent), was, at))
	}
	e.numberTabs(tabs)
}

// TabOf gives the place of a node among the tabs of its parent, -1 if it is none.
func (e Env) TabOf(id NodeID) int {
	parent := e.Node(id).Parent
	if !e.holdsTabs(parent) {
		return -1
	}
	return slices.Index(e.tabs(parent), id)
}

// shifted gives the place of an element when one of them moves.
func shifted(i, from, to int) int {
	switch {
	case i == from:
		return to
	case i > from && i <= to:
		return i - 1
	case i < from && i >= to:
		return i + 1
	}
	return i
}

// lookOf splits the name of a property of a tab: "tab_2/disabled".
func lookOf(name string) (tab int, what string, ok bool) {
	number, what, ok := strings.Cut(strings.TrimPrefix(name, "tab_"), "/")
	if !ok || !strings.HasPrefix(name, "tab_") {
		return 0, "", false
	}
	tab, err := strconv.Atoi(number)
	return tab, what, err == nil
}

func titleOf(tab int) string { return "tab_" + strconv.Itoa(tab) + "/title" }

// takeTitle gives a tab the title that the metadata of a child says, which is a property
// of the container where it is not the name of the child.
func (e Env) takeTitle(container NodeID, tab int, child NodeID) {
	n := e.Node(child)
	title, ok := n.Props.Get(MetaPrefix + "_tab_name")
	text, _ := title.Text()
	if ok && text != n.Name {
		e.put(container, titleOf(tab), variant.String(text))
	} else if c := e.Node(container); hasProp(c, titleOf(tab)) {
		e.Edit(container).Props = c.Props.Without(titleOf(tab))
	}
}

// setTitle gives a tab a title, which its child keeps.
func (e Env) setTitle(container NodeID, tab int, v variant.Value) {
	all := e.tabs(container)
	if tab >= len(all) {
		return
	}
	child := e.Node(all[tab])
	text, _ := v.Text()
	if name := MetaPrefix + "_tab_name"; text != child.Name {
		e.put(child.ID, name, variant.String(text))
	} else if hasProp(child, name) {
		e.Edit(child.ID).Props = child.Props.Without(name)
	}
	e.takeTitle(container, tab, child.ID)
}

func hasProp(n *Node, name string) bool {
	_, ok := n.Props.Get(name)
	return ok
}

// shiftLooks moves what a container holds of a tab with it.
func (e Env) shiftLooks(container NodeID, from, to int) {
	e.eachLook(container, func(tab int, what string) string {
		return "tab_" + strconv.Itoa(shifted(tab, from, to)) + "/" + what
	}, from != to)
}

// dropLooks forgets what a container holds of a tab.
func (e Env) dropLooks(container NodeID, gone int) {
	e.eachLook(container, func(tab int, what string) string {
		if tab == gone {
			return ""
		}
		return "tab_" + strconv.Itoa(tab) + "/" + what
	}, true)
}

func (e Env) eachLook(container NodeID, rename func(int, string) string, due bool) {
	var props Props
	changed := false
	for _, p := range e.Node(container).Props {
		if tab, what, ok := lookOf(p.Name); ok {
			name := rename(tab, what)
			changed = changed || name != p.Name
			if p.Name = name; name == "" {
				continue
			}
		}
		props = append(props, p)
	}
	if due && changed {
		e.Edit(container).Props = props
	}
}

func (e Env) canChoose(container NodeID, tab int) bool {
	for _, what := range []string{"/disabled", "/hidden"} {
		v, _ := e.Node(container).Props.Get("tab_" + strconv.Itoa(tab) + what)
		if on, _ := v.Bool(); on {
			return false
		}
	}
	return true
}

// setTabContainer sets what a container of tabs, or a tab, answers to.
func (e Env) setTabContainer(id NodeID, name string, v variant.Value) bool {
	if e.loading {
		return false
	}
	n := e.Node(id)
	switch {
	case name == "visible" && e.TabOf(id) >= 0:
		visible, _ := v.Bool()
		e.showTab(n, visible)
		return true
	case n.Class != tabContainer:
		return false
	case name == "current_tab":
		number, _ := v.Number()
		e.setCurrentTab(id, int(number))
		return true
	case name == "deselect_enabled":
		e.put(id, name, v)
		if on, _ := v.Bool(); !on && e.currentTab(id) < 0 {
			e.chooseNext(id)
		}
		return true
	}
	return false
}

// setCurrentTab takes -1 only where no tab has to be chosen.
func (e Env) setCurrentTab(container NodeID, current int) {
	count := len(e.tabs(container))
	if current >= count || current < -1 {
		return
	}
	if current < 0 && !e.flag(e.Node(container), "deselect_enabled") {
		for i := range count {
			if e.canChoose(container, i) {
				return
			}
		}
	}
	e.chooseTab(container, current)
}

// showTab shows a tab, which becomes the current one, or hides it: then another one
// does, and the only one stays.
func (e Env) showTab(n *Node, visible bool) {
	if e.flag(n, "visible") == visible {
		return
	}
	at, container := e.TabOf(n.ID), n.Parent
	current := e.currentTab(container)
	switch {
	case visible:
		e.show(n.ID, true)
		e.chooseTab(container, at)
	case current != at:
		e.show(n.ID, false)
	case e.flag(e.Node(container), "deselect_enabled"):
		e.show(n.ID, false)
		e.chooseTab(container, -1)
	case len(e.tabs(container)) > 1:
		e.show(n.ID, false)
		if !e.chooseNext(container) && !e.choosePrevious(container) {
			e.setCurrentTab(container, -1)
		}
	}
}

func (e Env) chooseNext(container NodeID) bool {
	for i := e.currentTab(container) + 1; i < len(e.tabs(container)); i++ {
		if e.canChoose(container, i) {
			e.chooseTab(container, i)
			return true
		}
	}
	return false
}

func (e Env) choosePrevious(container NodeID) bool {
	for i := e.currentTab(container) - 1; i >= 0; i-- {
		if e.canChoose(container, i) {
			e.chooseTab(container, i)
			return true
		}
	}
	return false
}

// SettleTabs does what containers among some nodes, or of some nodes, do in a later frame.
func (e Env) SettleTabs(changed []NodeChange) {
	done := map[NodeID]bool{}
	for _, c := range changed {
		if n := e.Node(c.ID); n != nil {
			for _, id := range [2]NodeID{n.ID, n.Parent} {
				if e.holdsTabs(id) && !done[id] {
					done[id] = true
					e.settleTabs(id)
				}
			}
		}
	}
}
