import type { Tool, Toolset } from "skein";
import { z } from "zod";

/** What was found out about a question, and who says so. */
export interface Report {
  readonly title: string;
  readonly summary: string;
  readonly findings: readonly {
    readonly statement: string;
    /** Links, each of which a tool has returned. */
    readonly sources: readonly string[];
  }[];
  /** What could not be found out, and why: services that failed, above all. */
  readonly gaps: readonly string[];
}

/** A report whose sources are known links. */
export function reportCiting(isKnown: (link: string) => boolean): z.ZodType<Report> {
  const source = z
    .string()
    .refine(isKnown, "no tool returned this link: cite links of results only, letter by letter");
  return z.object({
    title: z.string(),
    summary: z.string(),
    findings: z.array(z.object({ statement: z.string(), sources: z.array(source).min(1) })).default([]),
    gaps: z.array(z.string()).describe("What could not be found out, and which services failed").default([]),
  });
}

/** The same tools; every link that they return is noted. */
export function noting(links: Set<string>, tools: Toolset): Toolset {
  let noted: Promise<readonly Tool[]> | undefined;
  const note = (tool: Tool): Tool => ({
    ...tool,
    async execute(input, context) {
      const value = await tool.execute?.(input, context);
      for (const [, link] of JSON.stringify(value).matchAll(/"(https?:[^"]+)"/g)) links.add(link ?? "");
      return value;
    },
  });
  return {
    name: tools.name,
    tools: (context) => (noted ??= Promise.resolve(tools.tools(context)).then((list) => list.map(note))),
  };
}
