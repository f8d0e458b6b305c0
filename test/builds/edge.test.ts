import { edge } from "./places/edge.ts";
import { tryPlaces } from "./try-places.ts";

tryPlaces(edge);
