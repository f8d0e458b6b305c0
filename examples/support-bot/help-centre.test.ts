import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { readArticles } from "./articles.ts";
import { embedder, embedderFromEnvironment } from "./embed.ts";
import { HelpCentre } from "./help-centre.ts";

const articles = readArticles();

describe("the articles", () => {
  test("are many, each with a name of its own", () => {
    expect(articles.length).toBeGreaterThanOrEqual(70);
    expect(new Set(articles.map(({ id }) => id)).size).toBe(articles.length);
    expect(new Set(articles.map(({ category }) => category)).size).toBeGreaterThanOrEqual(8);
  });

  test.each(articles)("$id is neither too short nor too long", ({ body }) => {
    const { length } = body.split(/\s+/);
    expect(length).toBeGreaterThanOrEqual(60);
    expect(length).toBeLessThanOrEqual(150);
  });
});

/** Questions, and the article that answers each. */
const questions: readonly (readonly [question: string, id: string])[] = [
  ["How do I download my invoices?", "download-invoices"],
  ["Why does the light of my hub blink yellow?", "what-the-lights-of-the-hub-mean"],
  ["How long is the warranty on a valve?", "warranty"],
  ["What does the Grower plan cost?", "which-plans-there-are"],
  ["My probe sends nothing any more", "a-probe-or-sensor-sends-no-readings"],
  ["I forgot my password", "reset-a-forgotten-password"],
  ["Can I get my money back for a yearly plan?", "get-a-refund-for-a-plan"],
  ["I was charged twice", "why-you-see-two-charges"],
  ["How do I connect the hub to a new router?", "connect-the-hub-to-another-wi-fi-network"],
  ["What does error E15 mean?", "devices-cannot-be-added"],
  ["How many requests a minute may I make?", "rate-limits-of-the-api"],
  ["How do I verify a webhook signature?", "check-the-signature-of-a-webhook"],
  ["Which battery does the soil probe take?", "change-the-battery-of-a-soil-probe"],
  ["Do you ship to Norway?", "shipping-where-how-long-and-what-it-costs"],
  ["How do I set up SAML single sign-on?", "single-sign-on-with-saml"],
  ["In which country is my data stored?", "where-your-data-is-stored"],
  ["How do I cancel my subscription plan?", "cancel-a-paid-plan"],
  ["Water my beds automatically when the soil is dry", "water-automatically-by-soil-moisture"],
  ["Does it work with Home Assistant?", "home-assistant"],
  ["I lost my phone with the authenticator app", "you-lost-the-phone-with-your-authenticator"],
  ["How far can a device be from the hub?", "range-and-how-to-extend-it"],
  ["The valve drips", "a-valve-leaks-or-does-not-close"],
  ["Is there an outage right now?", "is-there-an-outage"],
  ["Do schools get a discount?", "discounts-for-schools-and-charities"],
  ["How can I delete my account?", "delete-your-account"],
  ["Where do I report a vulnerability?", "report-a-security-problem"],
  ["Can I use SMS alerts?", "get-alerts-by-text-message"],
  ["Send back the hub I bought", "return-hardware"],
  ["How do I update the firmware?", "update-the-firmware"],
  ["frost warning", "frost-alarm"],
  ["change credit card", "change-your-card"],
  ["vat number invoice", "put-a-company-name-or-vat-number-on-invoices"],
  ["What may a gardener do?", "what-each-role-may-do"],
  ["Does the API have a sandbox for tests?", "test-without-devices-the-sandbox"],
  ["How do I reset a used device?", "reset-a-device-or-take-over-a-used-one"],
  ["read last week's readings over the API", "read-readings-over-the-api"],
  ["Is the valve frost proof?", "weather-frost-and-water-protection"],
  ["try before buying", "try-grower-or-nursery-for-free"],
  ["my batteries are empty after two months", "batteries-run-down-too-fast"],
  ["opening hours of support", "how-to-reach-support"],
];

async function idsFound(help: HelpCentre, question: string): Promise<string[]> {
  return (await help.search(question)).found.map(({ id }) => id);
}

describe("search by words", () => {
  test("nine in ten questions find the article that answers them among the first three, eight in ten as the first", async () => {
    using help = new HelpCentre(articles);
    const places = await Promise.all(
      questions.map(async ([question, id]) => (await idsFound(help, question)).indexOf(id)),
    );
    const share = (isFound: (place: number) => boolean) => places.filter(isFound).length / places.length;
    expect(share((place) => place >= 0 && place < 3)).toBeGreaterThanOrEqual(0.9);
    expect(share((place) => place === 0)).toBeGreaterThanOrEqual(0.8);
  });

  test("snippets show the words that were looked for, in any form", async () => {
    using help = new HelpCentre(articles);
    const { found } = await help.search("webhook signatures");
    expect(found[0]?.snippet).toMatch(/signature/);
    expect(found.every(({ snippet, body }) => body.includes(snippet.replaceAll("…", "")))).toBe(true);
  });

  test.each([
    '"',
    "'",
    "*",
    "NEAR(hub valve, 2)",
    "hub AND",
    "title:hub",
    "-hub",
    "hub OR NOT",
    "^hub + valve",
    "{title body}: hub",
    "'; DROP TABLE texts; --",
    "hub\0valve",
    "hübsch 漢字 🌿 ﷽",
    "hub ".repeat(50_000),
  ])("what looks like an operator is taken for a word: %j", async (question) => {
    using help = new HelpCentre(articles);
    const matches = question.slice(0, 20).includes("hub") || /valve|TABLE/.test(question);
    expect((await help.search(question)).found.length > 0).toBe(matches && !question.startsWith("hübsch"));
    expect((await idsFound(help, "frost alarm"))[0]).toBe("frost-alarm");
  });

  test.each(["", "   ", "?!", "what is it?"])(
    "a question without a telling word finds nothing: %j",
    async (question) => {
      using help = new HelpCentre(articles);
      expect(await help.search(question)).toEqual({ found: [] });
    },
  );
});

/** What a stand-in for an embedding model takes for the same. */
const synonyms: Readonly<Record<string, string>> = {
  unwanted: "return",
  gizmo: "hardware",
};

/** Word counts in 256 places, words that mean the same in one: crude, but deterministic and about meaning. */
function vectorOf(text: string): number[] {
  const vector = Array.from({ length: 256 }, () => 0);
  for (const word of text.toLowerCase().match(/[a-z]{4,}/g) ?? []) {
    const meant = synonyms[word] ?? word;
    const place = meant.split("").reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 256, 7);
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

interface EmbeddingRequest {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly input: readonly string[];
    readonly encoding_format: string;
  };
}

describe("search by meaning", () => {
  let requests: EmbeddingRequest[];
  let answer: (input: readonly string[]) => { status?: number; body: unknown };
  let baseURL: string;

  const embedded = (input: readonly string[]) => ({
    object: "list",
    model: "test-embedding",
    // Servers may answer in any order: `index` counts.
    data: input
      .map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }))
      .toReversed(),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });

  beforeEach(async () => {
    requests = [];
    answer = (input) => ({ body: embedded(input) });
    const server = createServer(async (request, response) => {
      const body = (await json(request)) as EmbeddingRequest["body"];
      requests.push({ url: request.url, headers: request.headers, body });
      const { status = 200, body: answered } = answer(body.input);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answered));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    return async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    };
  });

  const open = () => new HelpCentre(articles, embedder({ baseURL, model: "test-embedding", apiKey: "key" }));

  test("an article is found by other words than its own", async () => {
    const question = "an unwanted gizmo";
    using words = new HelpCentre(articles);
    expect(await idsFound(words, question)).toEqual([]);
    using help = open();
    const { found, problem } = await help.search(question);
    expect(problem).toBeUndefined();
    expect(found[0]).toMatchObject({
      id: "return-hardware",
      snippet: expect.stringMatching(/^You can return hardware/),
    });
  });

  test("what both find comes first", async () => {
    using help = open();
    expect((await idsFound(help, "frost alarm"))[0]).toBe("frost-alarm");
  });

  test("the articles are embedded once, in batches, with the first question", async () => {
    using help = open();
    expect(requests).toEqual([]);
    await help.search("hub");
    await Promise.all([help.search("valve"), help.search("probe")]);
    expect(requests.map(({ body }) => body.input.length)).toEqual([64, articles.length - 64, 1, 1, 1]);
    expect(requests[0]).toMatchObject({
      url: "/v1/embeddings",
      headers: { authorization: "Bearer key", "content-type": "application/json" },
      body: { model: "test-embedding", encoding_format: "float" },
    });
  });

  test.each([
    ["a server that is busy", () => ({ status: 503, body: {} }), /status 503/],
    ["an answer without vectors", () => ({ body: { error: "no such model" } }), /another form/],
    ["too few vectors", () => ({ body: { data: [{ index: 0, embedding: [1] }] } }), /another form/],
    [
      "no numbers",
      (input: readonly string[]) => ({ body: { data: input.map(() => ({ embedding: ["x"] })) } }),
      /another form/,
    ],
  ])(
    "%s: words alone are looked for, with the reason, and the meaning again next time",
    async (_, broken, reason) => {
      using help = open();
      answer = broken;
      const { found, problem } = await help.search("frost alarm");
      expect(problem).toMatch(reason);
      expect(problem).not.toContain("key");
      expect(found[0]?.id).toBe("frost-alarm");
      answer = (input) => ({ body: embedded(input) });
      expect((await help.search("an unwanted gizmo")).found[0]?.id).toBe("return-hardware");
    },
  );

  test("where sqlite-vec cannot be loaded, words alone are looked for", async () => {
    const load = () => {
      throw new Error("Unsupported platform for sqlite-vec");
    };
    vi.doMock("sqlite-vec", () => ({ load }));
    using help = open();
    const { found, problem } = await help.search("frost alarm");
    vi.doUnmock("sqlite-vec");
    expect(problem).toBe("Unsupported platform for sqlite-vec");
    expect(found[0]?.id).toBe("frost-alarm");
    expect(requests).toEqual([]);
  });

  test("a search that is cancelled asks nothing more", async () => {
    using help = open();
    const { problem } = await help.search("hub", 4, AbortSignal.abort(new Error("enough")));
    expect(problem).toBe("enough");
    expect(requests.length).toBe(0);
  });

  test("the environment names the model", async () => {
    expect(embedderFromEnvironment({})).toBeUndefined();
    const embed = embedderFromEnvironment({ EMBEDDINGS_URL: baseURL, EMBEDDINGS_MODEL: "nomic-embed-text" });
    expect(await embed?.(["hub"])).toEqual([Float32Array.from(vectorOf("hub"))]);
    expect(requests[0]?.body.model).toBe("nomic-embed-text");
    expect(requests[0]?.headers.authorization).toBeUndefined();
  });
});
