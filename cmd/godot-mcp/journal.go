package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"godot-mcp/server"
	"godot-mcp/server/journal"
)

func journalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "journal",
		Short: "Look at the record of calls with an idempotencyId",
		Long: `The server remembers every change that a client made with an idempotencyId, one
file per project, for 30 days: a repeat of the call is answered from there.

A record is done (its answer is known), open (the server or the editor ended in
the middle; the server settles it when the editor is back) or uncertain (the
editor that had the command is gone, so nobody can tell). Only a person who has
looked can settle an uncertain one. A server keeps its journal to itself, so these
commands need it to be stopped.`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(journalListCommand(), journalShowCommand(), journalSettleCommand())
	return cmd
}

// journalFlags say which journals are meant.
type journalFlags struct{ state, project string }

func (j *journalFlags) add(f *pflag.FlagSet) {
	f.StringVar(&j.state, "state-dir", "", "`DIR` where the server keeps its journals (default: the user's state folder)")
	f.StringVar(&j.project, "project-dir", "", "only the journal of the project in `DIR`")
}

func (j *journalFlags) files() ([]string, error) {
	if j.state == "" {
		j.state = server.DefaultStateDir()
	}
	return journal.Files(j.state, j.project)
}

// find looks a record up by its id in the chosen journals.
func (j *journalFlags) find(id string) (journal.Book, journal.Record, error) {
	files, err := j.files()
	if err != nil {
		return journal.Book{}, journal.Record{}, err
	}
	var book journal.Book
	var found journal.Record
	n := 0
	for _, f := range files {
		b, err := journal.ReadFile(f)
		if err != nil {
			return book, found, err
		}
		for _, r := range b.Records {
			if r.ID == id {
				book, found = b, r
				n++
			}
		}
	}
	switch n {
	case 0:
		return book, found, fmt.Errorf("there is no record of %q", id)
	case 1:
		return book, found, nil
	}
	return book, found, fmt.Errorf("%q is in the journals of %d projects; choose one with --project-dir", id, n)
}

func journalListCommand() *cobra.Command {
	var which journalFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the records, oldest first",
		Long: `List the records of every project, or of one, oldest first: id, state, time and
tool. Records of the last 30 days are kept.`,
		Example: `  godot-mcp journal list
  godot-mcp journal list --project-dir path/to/project`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			files, err := which.files()
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			for _, f := range files {
				b, err := journal.ReadFile(f)
				if err != nil {
					return err
				}
				if err := printBook(out, b); err != nil {
					return err
				}
			}
			if len(files) == 0 {
				_, err = fmt.Fprintln(out, "There are no records.")
			}
			return err
		},
	}
	which.add(cmd.Flags())
	return cmd
}

func printBook(w io.Writer, b journal.Book) error {
	if _, err := fmt.Fprintf(w, "%q (%d records, %s)\n", b.Project, len(b.Records), b.File); err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range b.Records {
		failed := ""
		if r.Failed {
			failed = ", failed"
		}
		if _, err := fmt.Fprintf(tw, "  %q\t%s%s\t%s\t%s\n", r.ID, r.State, failed, r.Began.Format(time.RFC3339), r.Tool); err != nil {
			return err
		}
	}
	return tw.Flush()
}

func journalShowCommand() *cobra.Command {
	var which journalFlags
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Print one record as JSON",
		Long: `Print one record as JSON: tool, state, the commands that were sent with what became
of each, and the answer of the call if it is known.`,
		Example: `  godot-mcp journal show my-id-17`,
		Args:    usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, r, err := which.find(args[0])
			if err != nil {
				return err
			}
			e := json.NewEncoder(cmd.OutOrStdout())
			e.SetIndent("", "  ")
			return e.Encode(r)
		},
	}
	which.add(cmd.Flags())
	return cmd
}

func journalSettleCommand() *cobra.Command {
	var which journalFlags
	var applied, notApplied bool
	cmd := &cobra.Command{
		Use:   "settle ID --applied|--not-applied",
		Short: "Say what became of a call that nobody else can tell",
		Long: `Settle an open or uncertain record after looking at the project. With --applied a
repeat of the call is answered without doing it again; with --not-applied the
record is removed, and a repeat does it.`,
		Example: `  godot-mcp journal settle my-id-17 --applied`,
		Args:    usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if applied == notApplied {
				return usageError{errors.New("say --applied or --not-applied")}
			}
			b, _, err := which.find(args[0])
			if err != nil {
				return err
			}
			if err := journal.SettleFile(b.File, args[0], applied, time.Now()); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "settled %q\n", args[0])
			return err
		},
	}
	cmd.Flags().BoolVar(&applied, "applied", false, "the change is there")
	cmd.Flags().BoolVar(&notApplied, "not-applied", false, "the change is not there")
	which.add(cmd.Flags())
	return cmd
}
