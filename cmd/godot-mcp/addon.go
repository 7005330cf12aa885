package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"godot-mcp/addon/install"
)

func installCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "install-addon DIR",
		Short: "Put the editor addon into a Godot project",
		Long: `Copy the editor addon into DIR/addons/godot_mcp and enable it in project.godot.
The addon is part of this program; nothing is downloaded. Run it again to
upgrade: a second run with the same version changes nothing.

In project.godot one entry is added and no other byte is touched. The new copy
replaces the old one as a whole, so an interrupted run leaves the old one. If you
changed files of the addon, they are listed and nothing is done; with --force
the old folder is kept as a backup beside the new one.`,
		Example: `  godot-mcp install-addon path/to/project`,
		Args:    folderArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := install.Install(args[0], force)
			if err != nil {
				return err
			}
			sayInstalled(cmd.OutOrStdout(), folder(args[0]), r)
			return nil
		},
	}
	addForce(cmd, &force)
	return cmd
}

func sayInstalled(w io.Writer, dir string, r install.Report) {
	switch {
	case !r.Copied && !r.Project:
		fmt.Fprintf(w, "The addon %s is installed and enabled in %s already; nothing was changed.\n", r.Version, dir)
		return
	case r.Copied && r.From != "" && r.From != r.Version:
		fmt.Fprintf(w, "The addon in %s is now %s (was %s), %d files.\n", dir, r.Version, r.From, r.Files)
	case r.Copied:
		fmt.Fprintf(w, "The addon %s is in %s, %d files.\n", r.Version, filepath.Join(dir, filepath.FromSlash(install.Folder)), r.Files)
	}
	if r.Project {
		fmt.Fprintln(w, "It is enabled in project.godot.")
	}
	sayBackup(w, r)
	fmt.Fprintln(w, "Open the project in Godot; the addon connects by itself. If it is open now: Project > Reload Current Project.")
}

func sayBackup(w io.Writer, r install.Report) {
	if r.Backup != "" {
		fmt.Fprintln(w, "The folder with your changes is kept as", r.Backup)
	}
}

func uninstallCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "uninstall-addon DIR",
		Short: "Take the editor addon out of a Godot project",
		Long: `Disable the addon in project.godot and remove DIR/addons/godot_mcp. Only what
install-addon put there goes. If you changed files of the addon, they are listed
and nothing is done; with --force the folder is moved to a backup instead.

Close the project in Godot first, or reload it afterwards.`,
		Example: `  godot-mcp uninstall-addon path/to/project`,
		Args:    folderArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := install.Uninstall(args[0], force)
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if !r.Removed && !r.Project {
				fmt.Fprintf(w, "The addon is not installed in %s; nothing was changed.\n", folder(args[0]))
				return nil
			}
			fmt.Fprintf(w, "The addon is gone from %s.\n", folder(args[0]))
			sayBackup(w, r)
			return nil
		},
	}
	addForce(cmd, &force)
	return cmd
}

func addForce(cmd *cobra.Command, force *bool) {
	cmd.Flags().BoolVar(force, "force", false, "go on although you changed files of the addon; the old folder is kept as a backup")
}

func folderArgument(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return usageError{fmt.Errorf("name the project folder: %s DIR", cmd.CommandPath())}
	}
	return nil
}

// folder is the full path, for messages.
func folder(dir string) string {
	if full, err := filepath.Abs(dir); err == nil {
		return full
	}
	return dir
}
