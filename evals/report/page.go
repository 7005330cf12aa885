package report

import (
	"fmt"

	"godot-mcp/evals/grade"
	"godot-mcp/evals/run"
)

func (p *page) document(d pageData) {
	p.put(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%[1]s</title>
<style>%[2]s</style>
</head>
<body>
<main id="overview">
<h1>%[1]s</h1>
<p class="dim">server %[3]s · %[4]d tasks · %[5]d trials of each · graders version %[6]v · report contract version %[7]v</p>
`, d.Title, markup(pageStyle), d.Manifest.Server, len(d.Manifest.Tasks), d.Manifest.Trials, d.Manifest.Grader, d.Manifest.Contract)
	p.agents(d)
	p.put("<div class=\"two\">\n")
	if d.K > 1 {
		p.put("<div><h2>Trust in a row</h2>\n%s</div>\n", curve(d.Agents))
	}
	p.calibration(d.Agents)
	p.put("</div>\n")
	p.matrix(d)
	if d.Left > 0 {
		p.put("<p class=\"dim\">%d trials are shown in the matrix only; their evidence is in the folder of the run.</p>\n", d.Left)
	}
	p.wrong(d)
	p.put("</main>\n\n")
	for _, t := range d.Trials {
		p.trial(t)
	}
	p.put("<script>%s</script>\n</body>\n</html>\n", markup(pageScript))
}

func (p *page) agents(d pageData) {
	row, columns := markup(""), 8
	if d.K > 1 {
		row, columns = markup(fmt.Sprintf("<th>trusted^%d</th>", d.K)), 9
	}
	p.put(`<h2>Agents</h2>
<div class="scroll"><table>
<thead><tr><th>agent</th><th class="n">trials</th><th>trusted^1</th>%s<th>pass@1</th><th>harm</th><th>overclaim</th><th class="n">calls</th><th class="n">waste</th><th class="n">schema tok</th><th class="n">result tok</th><th class="n">not scored</th></tr></thead>
<tbody>
`, row)
	for _, a := range d.Agents {
		p.put(`<tr><th class="n">%s</th><td class="n">%d</td>`, a.Name, a.Scored)
		if a.TooMuchInfra() {
			p.put(`<td colspan="%d">no headline: %d trials failed for reasons that are not the agent's</td>`, columns, a.Infra)
		} else {
			p.put(`<td>%s</td>`, bar(a.Trusted1, "good"))
			if d.K > 1 {
				p.put(`<td>%s</td>`, bar(a.TrustedK, "good"))
			}
			p.put(`<td>%s</td><td class="n%s">%s</td><td class="n%s">%s</td><td class="n">%.1f</td><td class="n">%.0f %%</td><td class="n">%.0f</td><td class="n">%.0f</td>`,
				bar(a.Pass1, "met"), choose(a.Harm > 0, " fail", ""), rate(a.Harm, a.Scored), choose(a.Overclaims > 0, " fail", ""), rate(a.Overclaims, a.Scored),
				a.Calls, 100*a.Wasted, a.SchemaTokens, a.ResultTokens)
		}
		p.put("<td class=\"n\">%d</td></tr>\n", a.Infra+a.Tainted+a.Unscored)
	}
	p.put(`</tbody></table></div>
<p class="dim">Trusted: the goal is met, nothing was harmed and the report is true. pass@1: the goal alone. ^%[1]d: %[1]d trials in a row. The line in a bar is the 95 %% interval, over tasks. A rate of none shows the bound that 95 %% of such runs stay below.</p>

`, d.K)
}

func (p *page) calibration(agents []Agent) {
	p.put(`<div><h2>What they said and what was so</h2>
<table><thead><tr><th>agent</th><th class="n">said done</th><th class="n">said partial</th><th class="n">said not done</th><th class="n">no report</th></tr></thead>
<tbody>`)
	for _, a := range agents {
		p.put(`<tr><th class="n">%s</th>`, a.Name)
		for _, c := range a.Calibration {
			if c.N > 0 {
				p.put(`<td class="n">%d of %d</td>`, c.True, c.N)
			} else {
				p.put(`<td class="n"><span class="dim">—</span></td>`)
			}
		}
		p.put("</tr>\n")
	}
	p.put("</tbody></table>\n<p class=\"dim\">How many of these reports were true.</p></div>\n")
}

func (p *page) matrix(d pageData) {
	p.put(`
<h2>Tasks and agents</h2>
<p class="legend"><span><i class="sq trusted"></i> trusted</span><span><i class="sq met">G</i> goal met, not trusted</span><span><i class="sq failed">–</i> goal not met</span><span><i class="sq lie">O</i> overclaim</span><span><i class="sq harm">H</i> harm</span><span><i class="sq infra">?</i> not scored</span>
<label>category <select id="category"><option value="">all</option></select></label>
<label>finding <select id="finding"><option value="">any</option></select></label></p>
<div class="scroll"><table id="matrix">
<thead><tr><th>task</th>`)
	for _, a := range d.Agents {
		p.put(`<th>%s</th>`, a.Name)
	}
	p.put("</tr></thead>\n<tbody>\n")
	for _, r := range d.Rows {
		p.put(`<tr data-task="%[1]s"><th class="n">%[1]s</th>`, r.Task)
		for _, cell := range r.Cells {
			p.put(`<td>`)
			for _, s := range cell {
				if s.Linked {
					p.put(`<a href="%[1]s" class="sq %[2]s" title="%[3]s" aria-label="%[3]s" data-failed="%[4]s">%[5]s</a>`, fragment(s.Key), s.Class, s.Title, s.Failed, s.Letter)
				} else {
					p.put(`<i class="sq %s" title="%s" data-failed="%s">%s</i>`, s.Class, s.Title, s.Failed, s.Letter)
				}
			}
			p.put(`</td>`)
		}
		p.put("</tr>\n")
	}
	p.put("</tbody></table></div>\n")
}

func (p *page) wrong(d pageData) {
	p.put("\n<h2>What went wrong</h2>\n")
	if len(d.Wrong) == 0 {
		p.put("<p>Nothing.</p>\n")
		return
	}
	p.put(`<div class="scroll"><table id="wrong">
<thead><tr><th>agent</th><th>task</th><th>check</th><th class="n">trials</th><th>the first of them</th></tr></thead>
<tbody>`)
	for _, w := range d.Wrong {
		p.put(`<tr data-task="%[1]s" data-check="%[2]s"><td class="n">%[3]s</td><td class="n">%[1]s</td><td class="n">%[2]s`, w.Task, w.Check, w.Agent)
		if w.Severity != "" {
			p.put(` <span class="badge %[1]s">%[1]s</span>`, w.Severity)
		}
		p.put(`</td><td class="n">%d</td><td>`, w.N)
		if key := w.First.Key(); d.Linked[key] {
			p.put(`<a href="%s">trial %d</a>: %s`, fragment(key), w.First.Trial, w.Why)
			p.links(key, fragment(key), w.Calls, w.Effects)
		} else {
			p.put(`trial %d: %s`, w.First.Trial, w.Why)
		}
		p.put("</td></tr>\n")
	}
	p.put("</tbody></table></div>\n")
}

// links lead to calls and effects of a trial.
func (p *page) links(key, href string, calls, effects []int) {
	for _, c := range calls {
		p.put(` <a href="%s" data-go="%s/c%d">call %[3]d</a>`, href, key, c)
	}
	for _, e := range effects {
		p.put(` <a href="%s" data-go="%s/e%d">effect %[3]d</a>`, href, key, e)
	}
}

func (p *page) trial(t trialData) {
	r := t.Record
	p.put(`<section class="trial" id="%s" data-order="%d">
<nav><a href="#">all trials</a> <a class="prev" href="#">previous</a> <a class="next" href="#">next</a></nav>
<h1>%s <span class="dim">%s, trial %d</span></h1>
<p class="verdicts"><span class="pill %s">`, t.Key, t.Order, r.Task, r.Agent, r.Trial, t.Class)
	if r.Outcome == run.Scored {
		p.put("%s</span>\n<span>goal <b>%s</b></span><span>safe <b>%s</b></span><span>honest <b>%s</b></span>",
			choose(r.Trusted, "trusted", "not trusted"), choose(r.Goal, "met", "not met"), r.Safe, r.Honest)
	} else {
		p.put("%s</span>\n<span>%s</span>", r.Outcome, r.Cause)
	}
	p.put("<span class=\"dim\">stopped: %s, %d calls, %.1f s of virtual time</span></p>\n", r.Stop, len(t.Calls), float64(r.Metrics.VirtualMS)/1e3)
	if t.Task != nil {
		p.put("<blockquote>%s</blockquote>\n", t.Task.Prompt)
	}
	p.findings(t)
	report := t.Report
	if report == "" {
		report = "no report"
	}
	p.put("<div class=\"two\">\n<div><h2>It says</h2><pre>%s</pre></div>\n<div><h2>What differs from the start</h2>", report)
	p.diff(t.Diff)
	p.put("</div>\n</div>\n")
	p.events(t)
	p.put("<h2>Last message</h2><pre>%s</pre>\n<p class=\"dim\">Make such a trial again: <code>%s</code></p>\n</section>\n", t.Text, t.Again)
}

func (p *page) findings(t trialData) {
	if len(t.Failed) > 0 {
		p.put("<table class=\"findings\"><thead><tr><th>failed</th><th>why</th></tr></thead><tbody>\n")
		for _, f := range t.Failed {
			p.put(`<tr><td class="n">%s `, f.Check)
			if f.Severity != "" {
				p.put(`<span class="badge %[1]s">%[1]s</span>`, f.Severity)
			} else {
				p.put(`<span class="dim">%s</span>`, f.Family)
			}
			p.put(`</td><td>%s`, f.Why)
			p.links(t.Key, "#", f.Calls, f.Effects)
			p.put("</td></tr>\n")
		}
		p.put("</tbody></table>\n")
	}
	p.put(`<p class="dim">held: `)
	for _, name := range t.Passed {
		p.put(`<span class="chip">%s</span> `, name)
	}
	p.put("%s</p>\n", choose(len(t.Passed) == 0, "none", ""))
}

func (p *page) diff(list []grade.Difference) {
	p.put(`<table class="diff">`)
	for _, d := range list {
		p.put(`<tr><td><code>%s</code></td><td>%s</td><td class="dim n">%s</td></tr>`, d.Key, d.Why, choose(d.Live, "in the editor", "on disk"))
	}
	p.put(`%s</table>`, choose(len(list) == 0, "<tr><td>nothing</td></tr>", ""))
}

func (p *page) events(t trialData) {
	p.put(`<h2>What happened</h2>
<div class="scroll"><table class="events"><thead><tr><th class="n">time</th><th>agent</th><th>server</th><th>editor</th></tr></thead><tbody>
`)
	for _, e := range t.Events {
		if e.Call != nil {
			p.call(t.Key, e)
		} else {
			p.effect(t.Key, e)
		}
	}
	p.put("</tbody></table></div>\n")
}

func (p *page) call(key string, e eventData) {
	c := e.Call
	name, word := c.Tool, markup("answer")
	if name == "" {
		name = c.Name
	}
	switch {
	case c.Refused != "":
		word = "refused"
	case c.IsError:
		word = "error"
	}
	bad := word != "answer"
	p.put(`<tr id="%s/c%d"><td class="n dim">%.2f s</td><td class="side"><b>%[2]d %[4]s</b>`, key, c.N, float64(e.At)/1e9, name)
	for _, m := range e.Marks {
		p.put(` <span class="badge">%s</span>`, m)
	}
	if e.Args != "" {
		p.put(`<pre>%s</pre>`, e.Args)
	}
	p.put("</td><td class=\"side\"><details%s><summary%s>%s, %d bytes</summary><pre>%s</pre></details></td><td>%s</td></tr>\n",
		choose(bad, " open", ""), choose(bad, ` class="fail"`, ""), word, c.Bytes, e.Answer, choose(c.Barrier, `<span class="dim">answered in its queue</span>`, ""))
}

func (p *page) effect(key string, e eventData) {
	x := e.Effect
	class := choose(x.Cause == "human", "human", "")
	if e.Late {
		class = "late"
	}
	p.put(`<tr id="%s/e%d" class="%s"><td class="n dim">%.2f s</td><td></td><td>`, key, x.Seq, class, float64(e.At)/1e9)
	if x.Call > 0 {
		p.put(`<a href="#" data-go="%s/c%d">%scall %[2]d</a>`, key, x.Call, choose(e.Late, "late, from ", ""))
	} else {
		p.put(`<span class="dim">%s</span>`, x.Cause)
	}
	p.put(`</td><td><b>%d</b> %s <code>%s</code>`, x.Seq, x.Kind, x.Target)
	if x.After != "" && x.Kind != "file_written" {
		p.put(`<br><span class="dim">%s → %s</span>`, fmt.Sprintf("%.80s", x.Before), fmt.Sprintf("%.80s", x.After))
	}
	p.put("</td></tr>\n")
}
