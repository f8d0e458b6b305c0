import { ModelNotFoundError } from "../errors.ts";
import type { Model } from "../model/types.ts";

/** The model that the environment names; where it names none, the offline one, which says what it is. */
export async function modelOrOffline(): Promise<Model> {
  const { defaultModel, modelFromName } = await import("#model-resolution");
  try {
    return await defaultModel();
  } catch (error) {
    if (!(error instanceof ModelNotFoundError) || process.env["SKEIN_MODEL"]) throw error;
    return modelFromName("offline");
  }
}

/**
 * Before a file is loaded: if it also runs its agent, that takes the model of the command, unless the environment names one; without
 * a model, the offline one.
 */
export async function shareModel(model?: string): Promise<void> {
  if (process.env["SKEIN_MODEL"]) return;
  if (model !== undefined) process.env["SKEIN_MODEL"] = model;
  else if ((await modelOrOffline()).provider === "offline") process.env["SKEIN_MODEL"] = "offline";
}
