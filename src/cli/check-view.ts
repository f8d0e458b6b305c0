import type { Diagnostic } from "../check/check.ts";
import type { CheckedAgent, CheckedFile, CheckedTool } from "../check/types.ts";
import type { Place } from "../base/util/place.ts";
import type { CheckedAgentView, CheckedToolView, CheckView, FindingView } from "../studio/check-view.ts";
import { displayPath } from "./excerpt.ts";

/** The findings of a check at the agents and tools that they are about. */
export function checkView({ agents }: CheckedFile, findings: readonly Diagnostic[]): CheckView {
  const rest = new Set(findings);
  const pick = (isMeant: (finding: Diagnostic) => boolean): readonly FindingView[] => {
    const picked = findings.filter(isMeant);
    for (const finding of picked) rest.delete(finding);
    return picked.map(findingView);
  };
  const views = agents.map((agent): CheckedAgentView => ({
    name: agent.name,
    at: lineOf(agent.place),
    findings: pick(({ tool, place }) => tool === undefined && keyOf(place) === keyOf(agent.place)),
    tools: agent.tools.map((tool) => toolView(tool, agent, pick)),
  }));
  return { agents: views, others: [...rest].map(findingView) };
}

function toolView(
  tool: CheckedTool,
  agent: CheckedAgent,
  pick: (isMeant: (finding: Diagnostic) => boolean) => readonly FindingView[],
): CheckedToolView {
  const { place } = tool.source;
  const places = placesOf(tool);
  return {
    name: tool.name,
    // Tools of a server have no place but that of the agent that lists them.
    ...(keyOf(place) !== keyOf(agent.place) && { at: lineOf(place) }),
    findings: pick((finding) => finding.tool === tool.name && places.has(keyOf(finding.place))),
  };
}

/** Where findings of a tool can be: at itself, its parameters, and the parts of its comment. */
function placesOf({ source: { place, parameters = [], documented = [] } }: CheckedTool): ReadonlySet<string> {
  const elements = parameters.flatMap((parameter) => [parameter, ...(parameter.elements ?? [])]);
  return new Set([place, ...[...elements, ...documented].map((part) => part.place)].map(keyOf));
}

function keyOf({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

function lineOf({ file, line }: Place): string {
  return `${displayPath(file)}:${line}`;
}

function findingView({ rule, level, message, help, place }: Diagnostic): FindingView {
  return {
    rule,
    level,
    message,
    ...(help !== undefined && { help }),
    at: `${lineOf(place)}:${place.column}`,
  };
}
