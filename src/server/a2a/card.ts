import type { AgentCard, AgentInterface } from "@a2a-js/sdk";
import type { AnyAgent } from "../../agent/agent.ts";
import type { Call } from "../call.ts";

/** The version of the protocol (https://a2a-protocol.org/v1.0.0/specification/). */
const protocolVersion = "1.0";

const inputModes = ["text/plain", "application/json", "image/*", "application/pdf"];
const outputModes = ["text/plain", "application/json"];

/** What other agents learn of one. */
export function cardOf(call: Call, name: string, agent: AnyAgent): AgentCard {
  const { description = `The agent ${agent.name}.` } = agent;
  const address = addressOf(call, name);
  return {
    name: agent.name,
    description,
    version: "1.0.0",
    provider: undefined,
    supportedInterfaces: ["JSONRPC", "HTTP+JSON"].map((protocolBinding): AgentInterface => ({
      url: address,
      protocolBinding,
      protocolVersion,
      tenant: "",
    })),
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: inputModes,
    defaultOutputModes: outputModes,
    skills: [
      {
        id: name,
        name: agent.name,
        description,
        tags: [],
        examples: [],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ],
    signatures: [],
  };
}

/** Where the agent is reached, by the address that the client used. */
function addressOf({ url, request, server }: Call, name: string): string {
  const { basePath = "" } = server.options;
  const isInPath = basePath !== "" && url.pathname.startsWith(`${basePath}/`);
  const path = isInPath ? request.mount + basePath : basePath || request.mount;
  const host = request.headers.get("host") ?? url.host;
  const protocol = request.headers.get("x-forwarded-proto") === "https" ? "https:" : url.protocol;
  return `${protocol}//${host}${path}/a2a/${encodeURIComponent(name)}`;
}
