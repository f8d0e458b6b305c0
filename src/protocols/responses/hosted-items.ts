import type { HostedCall } from "../../model/hosted-call.ts";
import type { ResponseItemEvent, ResponseItemPlace, ResponseSearchItem } from "./types.ts";

/**
 * A call that the provider has executed, as an item; `undefined` while it runs, and for those that the protocol has no form for here: code needs
 * the id of a container, and an image its data.
 * @param call - As much of it as clients may see.
 */
export function hostedItem(call: HostedCall, id: string): ResponseSearchItem | undefined {
  const { status } = call;
  if (status === "running") return undefined;
  switch (call.tool) {
    case "webSearch": {
      const queries = [...call.input.queries];
      const sources = call.results.map(({ url }) => ({ type: "url" as const, url }));
      const action = { type: "search", queries, query: queries.join("\n"), sources } as const;
      return { id, type: "web_search_call", status, action };
    }
    case "webFetch": {
      const [url = null] = call.input.urls;
      return { id, type: "web_search_call", status, action: { type: "open_page", url } };
    }
    case "fileSearch":
      return { id, type: "file_search_call", status, queries: [...call.input.queries], results: null };
    case "codeExecution":
    case "imageGeneration":
    case "other":
      return undefined;
  }
}

/** The events between the beginning of such an item and its end. */
export function progressOf(item: ResponseSearchItem, place: ResponseItemPlace): readonly ResponseItemEvent[] {
  const { type, status } = item;
  const states = [
    "in_progress",
    "searching",
    ...(status === "completed" ? (["completed"] as const) : []),
  ] as const;
  return states.map((state) => ({ type: `response.${type}.${state}` as const, ...place }));
}
