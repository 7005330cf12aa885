package main

import "github.com/spf13/cobra"

// approvalTopic is a topic of the help, not a command.
func approvalTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "approval",
		Short: "How a person is asked before a call changes something",
		Long: `With --approval a person is asked about every call that changes something or runs
code of the project, and about what a permission rule says ask. Reads and
previews (dry_run) are never asked about. A batch is one question, as the worst
of its calls. A rule of the permission file that allows with overrides: true
spares the question, but never for tools whose effect nothing undoes: those are
open as soon as there is somebody to ask, and are asked about each time.

The question shows the tool, what it acts on, its final arguments and the answer
of the same call as a dry run. A call whose dry run fails is refused without a
question. If the dry run says something else after the answer, because the
project changed meanwhile, the call is refused and has to be made again.

Whatever is not a plain yes is a no: a refusal, no answer in time, an answer that
cannot be understood, an approver that cannot be reached. A refused call leaves
its idempotencyId free; a repeat of one that was done is not asked about again.
The confirm argument is something else: the agent sets it itself.

  --approval console      A page of this server, on loopback only. Its link works once
        and stands in the log at the start (stderr); --approval-open opens it in
        the browser instead, --approval-console HOST:PORT chooses where it is.
        The browser that opened it stays signed in until the server ends, and can
        make a link for another one. The page shows each waiting call, what it would
        do and what is there now; keys do everything (press ?). To approve what
        nothing undoes, type what it acts on.
        Whoever opens the link may approve: keep it from the agent. An agent that
        can run programs as you is bound by no question of this server.

  --approval webhook      A program of yours. Set --approval-webhook URL. It gets
        POST {"action", "safety_class", "params", "preview", "task_context",
        "timestamp"} as JSON and answers, within 30 seconds,
        {"approved": true or false, "reason": "…"} with a 2xx status as
        application/json. Redirects are not followed. With --approval-token the
        request has it as a bearer token; with --approval-secret the header
        Godot-MCP-Signature is sha256= and the HMAC-SHA256 of the body in hex.
        With --approval-fail-open a call goes on when the webhook cannot be
        reached or answers with another status, though not after an answer that
        cannot be understood or none in time, and not for tools whose effect
        nothing undoes, unless --allow-destructive is given too. The audit then
        says: executed without a human.

  --approval elicitation  The client's own dialogue, in both eras of the protocol.
        It is as good as the client: the server sees only that the client says
        its user agreed. Clients without form elicitation are refused.

  --approval none         Nobody (default). What a rule says ask about is refused,
        or, with --ask execute, done; tools whose effect nothing undoes stay
        closed without --allow-destructive.

People have 5 minutes; --approval-timeout SECONDS changes that. While a call waits
its client hears so every 5 seconds, if it asked for progress; cancelling the call
takes the question back. The audit names who was asked, the answer and its reason.

  godot-mcp permissions explain delete_node --approval elicitation
shows whether a person would be asked.`,
	}
}
