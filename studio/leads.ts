import { computed } from "@preact/signals";
import { info, runs } from "./state.ts";

/** Each agent has one hue: those of the team in their order, then others as they come. */
const hues = computed(() => {
  const names = new Set((info.value?.agents ?? []).map(({ name }) => name));
  for (const run of runs.value.values())
    for (const { agent } of run.flight) if (agent !== undefined) names.add(agent);
  return new Map([...names].map((name, index) => [name, String((index % 6) + 1)]));
});

/** What `data-lead` of an agent is; the person's is `you`. */
export function leadOf(agent: string | undefined): string {
  if (agent === undefined) return "you";
  const hue = hues.value.get(agent) ?? others.get(agent) ?? String(((hues.value.size + others.size) % 6) + 1);
  if (!hues.value.has(agent) && others.size < 1_000) others.set(agent, hue);
  return hue;
}

/** Agents that lead no run: those that tools run. */
const others = new Map<string, string>();
