import { withServer } from "../bench/with-server.ts";
import { runByHand } from "../bench/chat-by-hand.ts";
import { Agent, run, stream } from "skein";
import { openai } from "skein/openai";
import { shoutTool } from "../bench/shout.ts";
const only = process.argv[2] ?? "";
const cpu = () => { const u = process.cpuUsage(); return (u.user + u.system) / 1000; };
const drain = async (e: AsyncIterable<unknown>) => { for await (const _ of e); };
async function compare(label: string, kinds: Record<string, () => Promise<unknown>>, n: number, per: number) {
  const all: Record<string, number[]> = {};
  for (let round = 0; round < 9; round++) for (const [k, f] of Object.entries(kinds)) {
    const t = cpu(); for (let i = 0; i < n; i++) await f();
    (all[k] ??= []).push((cpu() - t) / n / per);
  }
  const med = (v: number[]) => { const s = v.slice(2).sort((a, b) => a - b); return s[Math.floor(s.length / 2)]!; };
  const base = med(all["hand"]!);
  console.log(label, Object.entries(all).map(([k, v]) => `${k} ${med(v).toFixed(3)} (${(med(v) / base).toFixed(2)}x)`).join("  "));
}
await withServer(async (address) => {
  const make = (path: string) => {
    const baseURL = `${address}${path}`;
    const model = openai("gpt", { baseURL, apiKey: "key" });
    const viaFetch = openai("gpt", { baseURL, apiKey: "key", fetch: (u, i) => fetch(u, i) });
    const agent = new Agent({ name: "Bench", instructions: "Shout.", model, tools: [shoutTool] });
    return { hand: () => runByHand(baseURL), run: () => run(agent, "go", { maxTurns: 500 }), stream: () => drain(stream(agent, "go", { maxTurns: 500 })), fetched: () => drain(stream(agent, "go", { model: viaFetch, maxTurns: 500 })) };
  };
  for (const turns of [10, 50, 200]) if ("http".includes(only)) await compare(`http ${turns} ms/turn`, make(`/calls/${turns}/0`), Math.ceil(300 / turns), turns);
  if ("text".includes(only)) await compare("20000 chunks ms", make(`/text/20000/0`), 3, 1);
  if ("argument".includes(only)) await compare("5000 fragments ms", make(`/argument/5000/0`), 3, 1);
  if ("many".includes(only)) {
    const k = make(`/calls/2/1`);
    const many = (f: () => Promise<unknown>) => () => Promise.all(Array.from({ length: 1000 }, f));
    await compare("1000 at once, ms a run", { hand: many(k.hand), run: many(k.run), stream: many(k.stream), fetched: many(k.fetched) }, 1, 1000);
  }
});
