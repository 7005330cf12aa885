//go:build models

package model

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/anthropics/anthropic-sdk-go"
	claude "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
)

func init() {
	chats["openai"], chats["anthropic"] = newOpenAI, newAnthropic
	statusOf = func(err error) int {
		var o *openai.Error
		var a *anthropic.Error
		switch {
		case errors.As(err, &o):
			return o.StatusCode
		case errors.As(err, &a):
			return a.StatusCode
		}
		return 0
	}
}

var errEmpty = errors.New("the answer holds no choice")

type openAIChat struct {
	client openai.Client
	params openai.ChatCompletionNewParams
}

func newOpenAI(o Options, prompt string) Chat {
	opts := []option.RequestOption{option.WithMaxRetries(o.Retries), option.WithAPIKey(o.Key)}
	if o.BaseURL != "" {
		opts = append(opts, option.WithBaseURL(o.BaseURL))
	}
	c := &openAIChat{client: openai.NewClient(opts...)}
	c.params.Model = o.Model
	c.params.MaxCompletionTokens = param.NewOpt(int64(o.MaxOutput))
	if o.System != "" {
		c.params.Messages = append(c.params.Messages, openai.SystemMessage(o.System))
	}
	c.params.Messages = append(c.params.Messages, openai.UserMessage(prompt))
	return c
}

// Next implements [Chat].
func (c *openAIChat) Next(ctx context.Context, tools []Tool, results []Result) (Turn, error) {
	c.params.Tools = nil
	for _, t := range tools {
		c.params.Tools = append(c.params.Tools, openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
			Name: t.Name, Description: param.NewOpt(t.Description), Parameters: t.Schema,
		}))
	}
	for _, r := range results {
		c.params.Messages = append(c.params.Messages, openai.ToolMessage(r.Text, r.ID))
	}
	res, err := c.client.Chat.Completions.New(ctx, c.params)
	if err != nil {
		return Turn{}, err
	}
	if len(res.Choices) == 0 {
		return Turn{}, errEmpty
	}
	m := res.Choices[0].Message
	c.params.Messages = append(c.params.Messages, m.ToParam())
	out := Turn{Text: m.Content, Input: int(res.Usage.PromptTokens), Output: int(res.Usage.CompletionTokens)}
	for _, call := range m.ToolCalls {
		out.Calls = append(out.Calls, Call{call.ID, call.Function.Name, call.Function.Arguments})
	}
	return out, nil
}

type anthropicChat struct {
	client anthropic.Client
	params anthropic.MessageNewParams
}

func newAnthropic(o Options, prompt string) Chat {
	opts := []claude.RequestOption{claude.WithMaxRetries(o.Retries), claude.WithAPIKey(o.Key)}
	if o.BaseURL != "" {
		opts = append(opts, claude.WithBaseURL(o.BaseURL))
	}
	c := &anthropicChat{client: anthropic.NewClient(opts...)}
	c.params = anthropic.MessageNewParams{
		Model: o.Model, MaxTokens: int64(o.MaxOutput),
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(prompt))},
	}
	if o.System != "" {
		c.params.System = []anthropic.TextBlockParam{{Text: o.System}}
	}
	return c
}

// Next implements [Chat].
func (c *anthropicChat) Next(ctx context.Context, tools []Tool, results []Result) (Turn, error) {
	c.params.Tools = nil
	for _, t := range tools {
		raw, err := json.Marshal(t.Schema)
		if err != nil {
			return Turn{}, err
		}
		tool := anthropic.ToolParam{Name: t.Name, Description: anthropic.String(t.Description)}
		if err := json.Unmarshal(raw, &tool.InputSchema); err != nil {
			return Turn{}, err
		}
		c.params.Tools = append(c.params.Tools, anthropic.ToolUnionParam{OfTool: &tool})
	}
	if len(results) > 0 {
		var blocks []anthropic.ContentBlockParamUnion
		for _, r := range results {
			blocks = append(blocks, anthropic.NewToolResultBlock(r.ID, r.Text, r.IsError))
		}
		c.params.Messages = append(c.params.Messages, anthropic.NewUserMessage(blocks...))
	}
	res, err := c.client.Messages.New(ctx, c.params)
	if err != nil {
		return Turn{}, err
	}
	c.params.Messages = append(c.params.Messages, res.ToParam())
	out := Turn{
		Input:  int(res.Usage.InputTokens + res.Usage.CacheReadInputTokens + res.Usage.CacheCreationInputTokens),
		Output: int(res.Usage.OutputTokens),
	}
	for _, b := range res.Content {
		switch b.Type {
		case "text":
			out.Text += b.Text
		case "tool_use":
			out.Calls = append(out.Calls, Call{b.ID, b.Name, string(b.Input)})
		}
	}
	if len(out.Calls) == 0 && out.Text == "" {
		return Turn{}, errEmpty
	}
	return out, nil
}
