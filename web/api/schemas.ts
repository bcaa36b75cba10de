// The named shapes of the public API: Zod decides, and the document says the same as JSON Schema.
import { z } from "zod";

export type NamedShapes = Record<string, z.ZodType>;

/** A named list, one page of it. */
export const pageOf = (row: z.ZodType) =>
  z.object({
    data: z.array(row),
    page: z.int().min(1),
    pages: z.int().min(1),
    total: z.int().min(0).meta({ description: "Of all pages." }),
  });

/** What JSON Schema calls each of the named shapes, as it is sent; their references stay within the document. */
export function toDocument(shapes: NamedShapes): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(shapes)) registry.add(shape, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    io: "input",
    override: ({ jsonSchema }) => {
      // The pattern behind a date is two lines long and says what the format says.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, closed(schema)]),
  );
}

/** As they are sent, objects are open; ours are not, which the tests hold answers to. */
function closed<T extends object>(schema: T): T {
  if ("properties" in schema && !("additionalProperties" in schema))
    Object.assign(schema, { additionalProperties: false });
  for (const value of Object.values(schema)) {
    if (Array.isArray(value)) for (const one of value) if (typeof one === "object" && one !== null) closed(one);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) closed(value);
  }
  return schema;
}

/** One parameter as JSON Schema. */
export function parameterSchema(shape: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: "input" });
  return schema;
}

/**
 * Texts of an address as the values of a shape: whole numbers where the shape wants them. What is no number stays a text, for
 * the shape to refuse.
 */
export function readTexts(shape: z.ZodObject, texts: Record<string, string>): Record<string, string | number> {
  const { properties = {} } = z.toJSONSchema(shape, { io: "input" });
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const wanted = properties[name];
      const whole = typeof wanted === "object" && wanted.type === "integer" && /^(?:0|[1-9]\d{0,9})$/.test(text);
      return [name, whole ? Number(text) : text];
    }),
  );
}
