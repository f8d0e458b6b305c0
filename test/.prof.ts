import { withServer } from "../bench/with-server.ts";
import { runByHand } from "../bench/chat-by-hand.ts";
import { Agent, run, stream } from "skein";
import { openai } from "skein/openai";
import { shoutTool } from "../bench/shout.ts";
import { Session } from "node:inspector/promises";
import { writeFileSync } from "node:fs";
const which = process.argv[2] ?? "run";
await withServer(async (address) => {
  const baseURL = `${address}/calls/50/0`;
  const model = openai("gpt", { baseURL, apiKey: "key" });
  const agent = new Agent({ name: "Bench", instructions: "Shout.", model, tools: [shoutTool] });
  const f = which === "hand" ? () => runByHand(baseURL) : () => run(agent, "go", { maxTurns: 500 });
  for (let i = 0; i < 10; i++) await f();
  const s = new Session(); s.connect(); await s.post("Profiler.enable"); await s.post("Profiler.setSamplingInterval", { interval: 200 }); await s.post("Profiler.start");
  const c = process.cpuUsage();
  for (let i = 0; i < 40; i++) await f();
  const d = process.cpuUsage(c);
  const { profile } = await s.post("Profiler.stop");
  const self = new Map<string, number>(); const total = profile.samples!.length;
  const byId = new Map(profile.nodes.map((n) => [n.id, n]));
  for (const id of profile.samples!) { const n = byId.get(id)!; const k = `${n.callFrame.functionName} ${n.callFrame.url.split("/").slice(-2).join("/")}:${n.callFrame.lineNumber}`; self.set(k, (self.get(k) ?? 0) + 1); }
  const idle = [...self].filter(([k]) => /^\(idle\)/.test(k)).reduce((a, [, v]) => a + v, 0);
  const groups = new Map<string, number>();
  for (const [k, v] of self) { if (/idle/.test(k)) continue; const g = /node:|^\(|internal/.test(k) ? (/^\(/.test(k) ? k.split(" ")[0]! : k.replace(/^.* /, "").split(":").slice(0, 2).join(":")) : k.replace(/^.* /, "").split(":")[0]!; groups.set(g, (groups.get(g) ?? 0) + v); }
  console.log(which, "cpu ms/turn", ((d.user + d.system) / 1000 / 40 / 50).toFixed(3), "samples", total, "idle", idle);
  for (const [k, v] of [...groups].sort((a, b) => b[1] - a[1]).slice(0, 32)) console.log((v / (total - idle) * 100).toFixed(1).padStart(5), k);
  console.log("--- self"); for (const [k, v] of [...self].filter(([k]) => !/idle/.test(k)).sort((a, b) => b[1] - a[1]).slice(0, 40)) console.log((v / (total - idle) * 100).toFixed(1).padStart(5), k);
});
