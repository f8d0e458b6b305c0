import type {
  AgentApp,
  AgentContext,
  ClientCapabilities,
  InitializeResponse,
} from "@agentclientprotocol/sdk";
import { commands } from "./commands.ts";
import { type Editor, editorOf } from "./editor.ts";
import { refusalOf } from "./refusal.ts";
import type { AcpSdk } from "./sdk.ts";
import type { AcpSessions } from "./sessions.ts";

/** Who serves. */
export interface AgentInfo {
  readonly title: string;
  readonly version: string;
  /** Whether a model that can be chosen takes more than text. */
  readonly takesImages: boolean;
}

/** The agent's side of the protocol, to be connected to a stream. */
export function acpApp(sdk: AcpSdk, sessions: AcpSessions, info: AgentInfo): AgentApp {
  let capabilities: ClientCapabilities = {};
  const editorFor =
    (client: AgentContext) =>
    (sessionId: string): Editor => {
      const editor = editorOf(client, capabilities, sessionId);
      // The editor learns of the session by the answer, which comes first.
      setImmediate(() =>
        editor.send({ sessionUpdate: "available_commands_update", availableCommands: commands }),
      );
      return editor;
    };
  /** What is thrown, as an error that the SDK sends. */
  const answer = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const { code, message, data } = refusalOf(error);
      throw new sdk.RequestError(code, message, data);
    }
  };
  const { agent } = sdk.methods;
  const { session } = agent;
  return sdk
    .agent({ name: info.title })
    .onRequest(agent.initialize, ({ params }) => {
      capabilities = params.clientCapabilities ?? {};
      return introduce(sdk, info);
    })
    .onRequest(session.new, ({ params, client }) => answer(() => sessions.begin(params, editorFor(client))))
    .onRequest(session.load, ({ params, client }) =>
      answer(async () => {
        const loaded = await sessions.load(params.sessionId, params, editorFor(client));
        await loaded.replay();
        return sessions.describe(loaded);
      }),
    )
    .onRequest(session.resume, ({ params, client }) =>
      answer(async () => {
        const resumed = await sessions.load(params.sessionId, params, editorFor(client));
        await resumed.resume();
        return sessions.describe(resumed);
      }),
    )
    .onRequest(session.list, ({ params }) => answer(() => sessions.list(params)))
    .onRequest(session.close, ({ params }) => answer(() => sessions.close(params.sessionId)))
    .onRequest(session.delete, ({ params }) => answer(() => sessions.delete(params.sessionId)))
    .onRequest(session.setMode, ({ params }) =>
      answer(async () => void (await sessions.choose(params.sessionId, "agent", params.modeId))),
    )
    .onRequest(session.setConfigOption, ({ params }) =>
      answer(async () => {
        const chosen = await sessions.choose(params.sessionId, params.configId, params.value);
        return { configOptions: sessions.describe(chosen).configOptions ?? [] };
      }),
    )
    .onRequest(session.prompt, ({ params, signal }) =>
      answer(() => sessions.prompt(params.sessionId, params.prompt, signal)),
    )
    .onNotification(session.cancel, ({ params }) => sessions.cancel(params.sessionId));
}

/** Other versions of the protocol than ours are for the editor to refuse. */
function introduce(
  { PROTOCOL_VERSION }: AcpSdk,
  { title, version, takesImages }: AgentInfo,
): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "skein", title, version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: takesImages, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
    },
    authMethods: [],
  };
}
