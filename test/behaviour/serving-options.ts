/** The rows of `unknown-options.test.ts` for what serves agents, for its clients, for what traces runs, for sandboxes, skills, toolkits and guards. */
import * as skein from "skein";
import * as client from "skein/client";
import * as guards from "skein/guards";
import * as protocols from "skein/protocols";
import * as sandboxes from "skein/sandbox";
import * as skillSets from "skein/skills";
import * as server from "skein/server";
import * as studio from "skein/studio";
import { ScriptedModel } from "skein/testing";
import * as toolkits from "skein/toolkits";
import * as tracing from "skein/tracing";

const noOptions = "takes no options";
const data = "what it is given is data, of any shape";

const unknown: object = { definitelyNotAnOption: 1 };
const agent = new skein.Agent({ name: "A", model: new ScriptedModel([]) });
const running = () => skein.stream(agent, "Hi");
const served = () => server.serve(agent);
const connected = () => client.connect("http://127.0.0.1:1");
const thread = { threadId: "t", runId: "r" };

type Row = string | readonly (() => unknown)[];

/** By entry: what it exports, and a call of each function with an unknown option, or why it has no options. */
export const servingTable: Readonly<
  Record<string, readonly [entry: object, rows: Readonly<Record<string, Row>>]>
> = {
  "skein/client": [
    client,
    {
      connect: [
        () => client.connect("http://127.0.0.1:1", { ...unknown }),
        () => connected().stream("A", "Hi", { ...unknown }),
        () => connected().follow("r", { ...unknown }),
      ],
    },
  ],
  "skein/guards": [
    guards,
    {
      allowedDomains: "takes values, not options",
      guard: [
        () => guards.guard({ input: () => true }, { ...unknown }),
        () => guards.guard({ input: () => true, ...unknown }),
      ],
      personalData: [() => guards.personalData({ ...unknown })],
      secrets: [() => guards.secrets({ ...unknown })],
    },
  ],
  "skein/tracing": [
    tracing,
    {
      traceAll: [() => tracing.traceAll({ ...unknown })],
      traced: [() => tracing.traced({ ...unknown })],
    },
  ],
  "skein/sandbox": [
    sandboxes,
    {
      sandbox: [
        () => sandboxes.sandbox.command("true", { ...unknown }),
        () => sandboxes.sandbox.open({ ...unknown }),
        () => sandboxes.sandbox.shell({ root: ".", ...unknown }),
      ],
    },
  ],
  "skein/skills": [
    skillSets,
    {
      skills: [
        () => skillSets.skills(".", { ...unknown }),
        () => skillSets.skills(".", { sandbox: { ...unknown } }),
      ],
    },
  ],
  "skein/toolkits": [
    toolkits,
    {
      arxiv: [() => toolkits.arxiv({ ...unknown })],
      memory: [
        () => toolkits.memory({ sqlite: "memory.db" }, { ...unknown }),
        () => toolkits.memory({ sqlite: "memory.db", ...unknown }),
      ],
      searchTools: [() => toolkits.searchTools({ ...unknown })],
      tavily: [() => toolkits.tavily({ ...unknown })],
      todo: noOptions,
      todosIn: data,
      wikipedia: [() => toolkits.wikipedia({ ...unknown })],
      workspace: [() => toolkits.workspace({ root: ".", ...unknown })],
    },
  ],
  "skein/server": [
    server,
    {
      serve: [
        () => server.serve(agent, { ...unknown }),
        () => server.serve(agent, { perUser: { ...unknown } }),
        () => server.serve(agent, { show: { ...unknown } }),
        () => served().listen({ ...unknown }),
        () => served().close({ ...unknown }),
      ],
    },
  ],
  "skein/studio": [studio, { studio: [() => studio.studio({ agents: [agent], port: 0, ...unknown })] }],
  "skein/protocols": [
    protocols,
    {
      fromAgUiInput: noOptions,
      fromChatCompletionRequest: noOptions,
      fromResponsesRequest: noOptions,
      fromUIMessages: noOptions,
      openaiError: data,
      openaiErrorOf: noOptions,
      readUIMessages: noOptions,
      toAgUiEvents: [() => protocols.toAgUiEvents(running(), { ...thread, ...unknown })],
      toAgUiMessages: [() => protocols.toAgUiMessages([], { ...unknown })],
      toAgUiResponse: [() => protocols.toAgUiResponse(running(), { ...thread, ...unknown })],
      toChatCompletion: [() => protocols.toChatCompletion(running(), { model: "m", ...unknown })],
      toChatCompletionChunks: [() => protocols.toChatCompletionChunks(running(), { model: "m", ...unknown })],
      toChatCompletionResponse: [
        () => protocols.toChatCompletionResponse(running(), { model: "m", ...unknown }),
      ],
      toEventStream: [() => protocols.toEventStream(running(), { ...unknown })],
      toResponse: [() => protocols.toResponse(running(), { model: "m", ...unknown })],
      toResponseEvents: [() => protocols.toResponseEvents(running(), { model: "m", ...unknown })],
      toResponsesResponse: [() => protocols.toResponsesResponse(running(), { model: "m", ...unknown })],
      toUIMessageChunks: [() => protocols.toUIMessageChunks(running(), { ...unknown })],
      toUIMessageResponse: [() => protocols.toUIMessageResponse(running(), { ...unknown })],
      toUIMessages: [() => protocols.toUIMessages([], [], { ...unknown })],
      toUnreadResponse: [() => protocols.toUnreadResponse("queued", { model: "m", ...unknown })],
    },
  ],
};
