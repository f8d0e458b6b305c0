import { defineEval, type EvalCase, type Evaluation, type Matcher, policy } from "skein/evals";
import { agent, researcher } from "./agent.ts";
import type { Report } from "./report.ts";
import { linkOf, serveLibrary, type ServiceName } from "./stand-in.ts";

const tools = { arxiv: "arxiv_search", wikipedia: "wikipedia_search", tavily: "tavily_search" } as const;

/** Findings that cite an entry of each of these services. */
function citing(...sources: readonly (readonly [service: ServiceName, id: string])[]): Matcher {
  const links = sources.map(([service, id]) => linkOf(service, id));
  return {
    expected: `findings that cite ${links.join(" and ")}`,
    matches: (findings) => links.every((link) => JSON.stringify(findings).includes(`"${link}"`)),
    example: links.map((link) => ({ statement: "It says so.", sources: [link] })),
  };
}

/** A question that one service answers, found by this word. */
const asks = (input: string, service: ServiceName, word: string, id: string): EvalCase => ({
  input,
  calls: { include: [searching(service, word)] },
  output: { findings: citing([service, id]) },
});

const searching = (service: ServiceName, word: string) => ({
  tool: tools[service],
  arguments: { query: new RegExp(word.slice(0, 5), "i") },
  example: { query: word },
});

/** A question to which a closed service had the answer: the report says so, and makes nothing up. */
const misses = (input: string, service: ServiceName, word: string): EvalCase => ({
  input,
  tags: ["closed", service],
  calls: { include: [searching(service, word)] },
  output: {
    findings: [],
    gaps: {
      expected: `a gap that names ${service}`,
      matches: (gaps: unknown) => JSON.stringify(gaps).toLowerCase().includes(service),
      example: [`${service} is closed today.`],
    },
  },
});

export const evaluation: Evaluation = defineEval({
  name: "research",
  agent,
  setup: async ({ tags = [] }) => {
    const { options, close } = await serveLibrary(tags.includes("closed") ? tags : []);
    return { agent: researcher(options), close };
  },
  scorers: [
    policy("cites only what a tool returned", ({ output, messages }) => citesResults(output, messages)),
  ],
  cases: [
    asks("Which paper builds translation on attention alone?", "arxiv", "attention", "1706.00001v1"),
    asks("Who made very deep networks trainable? Cite the paper.", "arxiv", "networks", "1512.00002v1"),
    asks("Papers on few-shot learning of language models", "arxiv", "few-shot", "2005.00003v2"),
    asks("Which paper is about gravitational waves?", "arxiv", "gravitational", "1602.00004v1"),
    asks("Find a paper on reasoning and tool calls", "arxiv", "reasoning", "2210.00005v1"),
    asks("Papers about reinforcement learning from pixels", "arxiv", "reinforcement", "1312.00006v1"),
    asks("Which paper shows a black hole's shadow?", "arxiv", "shadow", "1905.00007v1"),
    asks("What do papers say about metabolism of geese?", "arxiv", "geese", "2001.00008v1"),
    asks("What is Jupiter?", "wikipedia", "Jupiter", "Jupiter"),
    asks(
      "What does Wikipedia say about the bar-headed goose?",
      "wikipedia",
      "bar-headed goose",
      "Bar-headed_goose",
    ),
    asks("Why do birds fly in a V formation?", "wikipedia", "formation", "V_formation"),
    asks("What is a black hole?", "wikipedia", "black hole", "Black_hole"),
    asks("What is a transformer, in machine learning?", "wikipedia", "transformer", "Transformer"),
    asks("How does photosynthesis work?", "wikipedia", "photosynthesis", "Photosynthesis"),
    asks("Who was Ada Lovelace?", "wikipedia", "Lovelace", "Ada_Lovelace"),
    asks("What is wool?", "wikipedia", "wool", "Wool"),
    asks("Is there news about geese?", "tavily", "geese", "geese-arrive"),
    asks("Search the web: how do I wash a scarf?", "tavily", "scarf", "scarf-care"),
    asks("What is new in Node 24?", "tavily", "Node types", "node-release"),
    asks("How many bikes are there in Copenhagen?", "tavily", "Copenhagen", "city-bikes"),
    asks("When did the new telescope see first light?", "tavily", "telescope", "telescope"),
    asks("How large is Lake Ontario?", "tavily", "Ontario", "lake-ontario"),
    {
      input: "Black holes: what are they, and which paper has a picture?",
      calls: { include: [searching("wikipedia", "black hole"), searching("arxiv", "black hole")] },
      output: { findings: citing(["wikipedia", "Black_hole"], ["arxiv", "1905.00007v1"]) },
    },
    {
      input: "Jupiter: what is it, and what is the news about it?",
      calls: { include: [searching("wikipedia", "Jupiter"), searching("tavily", "Jupiter")] },
      output: { findings: citing(["wikipedia", "Jupiter"], ["tavily", "jupiter-opposition"]) },
    },
    {
      input: "Read the Wikipedia article Jupiter",
      calls: { include: [{ tool: "wikipedia_summary", arguments: { title: "Jupiter" } }] },
      output: { findings: citing(["wikipedia", "Jupiter"]) },
    },
    misses("Which paper builds translation on attention alone?", "arxiv", "attention"),
    misses("What does Wikipedia say about wool?", "wikipedia", "wool"),
    misses("Is there news about geese?", "tavily", "geese"),
    { input: "Hello", calls: [], output: { findings: [] } },
  ],
});

function citesResults(output: unknown, messages: readonly { readonly role: string }[]): boolean | string {
  if (output === undefined) return "there is no report";
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an output has been checked
  const { findings } = output as Report;
  const results = JSON.stringify(messages.filter(({ role }) => role === "tool"));
  const unknown = findings.flatMap(({ sources }) => sources).filter((link) => !results.includes(link));
  return unknown.length === 0 || `no tool returned ${unknown.join(", ")}`;
}
