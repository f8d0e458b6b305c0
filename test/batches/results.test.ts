import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Agent, generate, type Model, run } from "skein";
import type { BatchOptions } from "skein/models";
import { BatchServer } from "./batch-server.ts";
import { modelOfApi, models, quick } from "./test-models.ts";

let server: BatchServer;
beforeEach(async () => {
  server = await new BatchServer().start();
});
afterEach(() => server.close());

const page = "<html><body>502 Bad Gateway, key key-of-gateway</body></html>";

describe.each(Object.keys(models))("%s", (name) => {
  const modelOf = (options?: BatchOptions): Model => modelOfApi(name, server, options);
  const shared: BatchOptions = { gather: 1_000_000, maxRequests: 3, interval: 20, deadline: 30_000 };
  const isAnthropic = name === "anthropic";
  const look = isAnthropic ? "GET /v1/messages/batches/:id" : "GET /v1/batches/:id";
  const download = isAnthropic ? "GET /v1/messages/batches/:id/results" : "GET /v1/files/:id/content";

  /** Three requests of one batch. */
  const outcomes = async (): Promise<readonly unknown[]> => {
    const model = modelOf(shared);
    const answers = [1, 2, 3].map((index) => generate(model, `Question ${index}`));
    const settled = await Promise.allSettled(answers);
    return settled.map((each) => (each.status === "fulfilled" ? each.value.text : each.reason));
  };
  const failures = (all: readonly unknown[]): readonly unknown[] =>
    all.filter((each) => each instanceof Error);

  test("a line that is not JSON withholds no other answer", async () => {
    server.resultsOf = ([first = "", ...lines]) => [first.slice(0, 90), "null", "[]", ...lines].join("\n");
    const all = await outcomes();
    expect(failures(all)).toEqual([
      expect.objectContaining({
        name: "MalformedResponseError",
        isRetryable: false,
        message: expect.stringMatching(
          / has no result of the request\. 3 lines .*cannot be read: .*custom_id/,
        ),
      }),
    ]);
    expect(server.count(download)).toBeLessThan(4);
    expect(server.submitted).toBe(3);
  });

  test("a line that may be another request's answer is not shown", async () => {
    server.resultsOf = ([first = "", ...lines]) =>
      ['{"secret of another', first.slice(130), ...lines].join("\n");
    const [failure, ...others] = failures(await outcomes());
    expect(others).toEqual([]);
    expect(String(failure)).toContain("2 lines of its results cannot be read.");
  });

  test("a request without a line fails at once, and the others are answered", async () => {
    server.resultsOf = (lines) => lines.slice(1).join("\r\n");
    expect(failures(await outcomes())).toHaveLength(1);
    server.resultsOf = () => "";
    expect(failures(await outcomes())).toHaveLength(3);
    expect(server.count(download)).toBeLessThan(6);
  });

  test("a page in place of the results is read again", async () => {
    const { resultsOf } = server;
    let pages = 0;
    server.resultsOf = (lines) => ((pages += 1) <= 2 ? page : resultsOf(lines));
    expect(await outcomes()).toEqual(["Answer to 1.", "Answer to 1.", "Answer to 1."]);
  });

  test("a page that stays is an error of each request after three readings", async () => {
    server.resultsOf = () => page;
    const all = await outcomes();
    expect(failures(all)).toHaveLength(3);
    expect(String(all[0])).toContain("cannot be read: <html><body>502 Bad Gateway");
    expect(server.count(download)).toBe(3);
  });

  test("whatever refuses a look is borne, and named after the deadline", async () => {
    server.troubles.set(look, [401, 403, 404]);
    expect((await generate(modelOf(), "Hello!")).text).toBe("Answer to 1.");
    expect(server.batches).toHaveLength(1);
    server.onExchange = (kind) => (kind === look ? 404 : undefined);
    await expect(generate(modelOf({ ...quick, deadline: 200 }), "Hello!")).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringContaining("The last look at it failed: The batch API answered with 404."),
    });
  });

  test("an address without batches is named as it was asked", async () => {
    const path = isAnthropic ? "/v1/messages/batches" : "/v1/files";
    server.onExchange = (kind) => (kind === `POST ${path}` ? 404 : undefined);
    await expect(generate(modelOf(), "Hello!")).rejects.toThrow(`The request went to ${server.url}${path}:`);
  });

  test("an answer that may come better is submitted three times in all", async () => {
    server.outcomeOf = () => ({ status: 200, body: {} });
    const failure = await run(new Agent({ name: "Batch", model: modelOf() }), "Hello!").catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ name: "MalformedResponseError", isRetryable: !isAnthropic });
    expect(server.batches).toHaveLength(isAnthropic ? 1 : 3);
  });
});
