import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { memory } from "skein/toolkits";
import { expect, test } from "vitest";
import { call, commands, path, places } from "./test-memory.ts";

test.each(places)(
  "in %s, words are found without their accents, and within texts without spaces",
  async (_name, place) => {
    const kit = memory(place());
    const filler = "これは長い文章です。".repeat(30);
    const texts = {
      "tokyo.md": `${filler}東京の天気は晴れ`,
      "beijing.md": "今天北京的天气很好",
      "menu.md": `${"so on ".repeat(60)}Crème brûlée and Äpfel`,
      "seoul.md": "서울의날씨는 맑음",
      "bangkok.md": "อากาศที่กรุงเทพ",
      "decomposed.md": "か\u3099くせい".normalize("NFD"),
      "code.md": "call getWeather first",
    };
    for (const [name, text] of Object.entries(texts))
      await commands(kit, { command: "create", path: `/memories/${name}`, file_text: text });
    const search = async (query: string): Promise<string> =>
      (await call(kit, ["search_memory", { query }]))[0] ?? "";
    for (const [query, file, words] of [
      ["天気", "tokyo.md", "天気"],
      ["晴", "tokyo.md", "晴れ"],
      ["天气", "beijing.md", "天气"],
      ["creme", "menu.md", "Crème"],
      ["CRÈME", "menu.md", "Crème"],
      ["Apfel", "menu.md", "Äpfel"],
      ["날씨", "seoul.md", "날씨"],
      ["กรุงเทพ", "bangkok.md", "กรุงเทพ"],
      ["がくせい", "decomposed.md", "くせい"],
      ["weather", "code.md", "getWeather"],
    ] as const)
      expect([query, await search(query)]).toEqual([
        query,
        expect.stringMatching(new RegExp(`^/memories/${file}: [^\\n]*${words}[^\\n]*$`)),
      ]);
    expect(await search("大阪")).toBe("No file matches.");
    await commands(kit, { command: "delete", path: "/memories/tokyo.md" });
    expect(await search("天気")).toBe("No file matches.");
    await kit.close();
  },
);

test("a database of an earlier version is searched, too", async () => {
  const file = path();
  const before = new DatabaseSync(file);
  before.exec(`
    CREATE TABLE skein_memory (
      id INTEGER PRIMARY KEY, owner TEXT NOT NULL, path TEXT NOT NULL, text TEXT NOT NULL, bytes INTEGER NOT NULL, UNIQUE (owner, path)
    ) STRICT;
    CREATE VIRTUAL TABLE skein_memory_search USING fts5(path, text, content = 'skein_memory', content_rowid = 'id');
    CREATE TRIGGER skein_memory_added AFTER INSERT ON skein_memory BEGIN
      INSERT INTO skein_memory_search (rowid, path, text) VALUES (new.id, new.path, new.text);
    END;
    INSERT INTO skein_memory (owner, path, text, bytes) VALUES ('', '/memories/a.md', '東京の天気は晴れ', 24);
  `);
  before.close();
  const kit = memory({ sqlite: file });
  const search = ["search_memory", { query: "天気" }] as const;
  expect(await call(kit, search)).toEqual(["/memories/a.md: 東京の天気は晴れ"]);
  await commands(kit, {
    command: "str_replace",
    path: "/memories/a.md",
    old_str: "天気",
    new_str: "空",
  });
  expect(await call(kit, search)).toEqual(["No file matches."]);
  await kit.close();
  expect(readFileSync(file).includes("天気")).toBe(false);
});
