import { tool, ToolRegistry, type Tool } from "skein";
import { processorTime, medians, type Sample } from "./measure.ts";
import type { Row } from "./table.ts";

const verbs = [
  "list",
  "create",
  "delete",
  "update",
  "find",
  "export",
  "approve",
  "archive",
  "merge",
  "assign",
];
const things = [
  "invoice",
  "customer",
  "branch",
  "ticket",
  "parcel",
  "refund",
  "calendar",
  "contract",
  "sensor",
  "recipe",
];
const places = [
  "warehouse",
  "shop",
  "repository",
  "hospital",
  "school",
  "airport",
  "kitchen",
  "library",
  "bank",
  "garden",
];
const queries = [
  "refund a customer",
  "merge two branches of the repository",
  "which parcels are at the airport",
  "recipe",
];

/** What it takes to find the few tools that fit among two thousand. */
export async function searchRows(): Promise<readonly Row[]> {
  const tools = Array.from({ length: 2_000 }, (_, index) => catalogueTool(index));
  const registry = new ToolRegistry().register(...tools);
  await registry.search("once, so that there is an index");
  const taken = await medians({
    floor: perSearch(async (query) => scan(tools, query)),
    skein: perSearch((query) => registry.search(query)),
  });
  return [
    {
      what: "search: five tools of 2,000",
      unit: "ms",
      floor: taken("floor"),
      skein: taken("skein"),
      limit: { of: "skein", most: 2 },
    },
  ];
}

function catalogueTool(index: number): Tool {
  const [verb, thing, place] = [
    verbs[index % 10],
    things[Math.floor(index / 10) % 10],
    places[Math.floor(index / 100) % 10],
  ];
  return tool({
    name: `${verb}_${thing}_${index}`,
    description: `Lets a clerk ${verb} any ${thing} of the ${place}, number ${index} of the catalogue.`,
    input: {
      type: "object",
      properties: { [`${thing}Id`]: { type: "string", description: `The ${thing} in question` } },
    },
    execute: () => "",
  });
}

function perSearch(search: (query: string) => Promise<unknown>): Sample {
  const searchAll = async (): Promise<void> => {
    for (const query of queries) await search(query);
  };
  return async () => (await processorTime(searchAll, 10)) / queries.length;
}

/** By hand: every tool that has one of the words, those with most of them first. */
function scan(tools: readonly Tool[], query: string): readonly Tool[] {
  const words = query.toLowerCase().split(" ");
  return tools
    .map((tool) => {
      const text = `${tool.name} ${tool.description}`.toLowerCase();
      return { tool, score: words.filter((word) => text.includes(word)).length };
    })
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, 5)
    .map(({ tool }) => tool);
}
