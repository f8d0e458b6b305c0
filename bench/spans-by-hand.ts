import { context, type Context, SpanKind, trace, type Tracer } from "@opentelemetry/api";

/** The spans of a run of so many turns, written by hand: each is active while its work is done, and has what is known of it. */
export async function spansByHand(turns: number): Promise<void> {
  const tracer = trace.getTracer("by-hand");
  const root = tracer.startSpan("invoke_agent Bench", {
    attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "Bench" },
  });
  const around = trace.setSpan(context.active(), root);
  for (let turn = 0; turn <= turns; turn++) {
    await chat(tracer, around);
    if (turn < turns) await call(tracer, around, turn);
  }
  root.end();
}

async function chat(tracer: Tracer, around: Context): Promise<void> {
  const span = tracer.startSpan(
    "chat instant",
    {
      kind: SpanKind.CLIENT,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "bench",
        "gen_ai.request.model": "instant",
        "gen_ai.request.stream": true,
      },
    },
    around,
  );
  await context.with(trace.setSpan(around, span), async () => {});
  span.setAttributes({
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.output_tokens": 10,
    "gen_ai.response.finish_reasons": ["tool_call"],
    "gen_ai.response.model": "instant",
    "gen_ai.response.time_to_first_chunk": 0,
  });
  span.end();
}

async function call(tracer: Tracer, around: Context, turn: number): Promise<void> {
  const span = tracer.startSpan(
    "execute_tool shout",
    {
      kind: SpanKind.INTERNAL,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "shout",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": `call_${turn}`,
        "gen_ai.tool.description": "Returns the text in upper case.",
      },
    },
    around,
  );
  await context.with(trace.setSpan(around, span), async () => {});
  span.setAttribute("skein.tool.outcome", "success");
  span.end();
}
