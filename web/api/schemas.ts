// Converts the named shapes of the public API: Zod validates, and the document describes the same as JSON Schema.
import { z } from "zod";

export type NamedShapes = Record<string, z.ZodType>;

/** The shape of a list's page. */
export const pageOf = (row: z.ZodType) =>
  z.object({
    data: z.array(row),
    page: z.int().min(1),
    pages: z.int().min(1),
    total: z.int().min(0).meta({ description: "Of all pages." }),
  });

/** Converts each named shape to JSON Schema, as it is sent; references stay within the document. */
export function toDocument(shapes: NamedShapes): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(shapes)) registry.add(shape, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    io: "input",
    override: ({ jsonSchema }) => {
      // The pattern of a date is two lines long and repeats the format.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, closed(schema)]),
  );
}

/** Closes objects, which the conversion leaves open; the tests check responses against this. */
function closed<T extends object>(schema: T): T {
  if ("properties" in schema && !("additionalProperties" in schema))
    Object.assign(schema, { additionalProperties: false });
  for (const value of Object.values(schema)) {
    if (Array.isArray(value)) for (const one of value) if (typeof one === "object" && one !== null) closed(one);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) closed(value);
  }
  return schema;
}

/** Makes a parameter's JSON Schema. */
export function parameterSchema(shape: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: "input" });
  return schema;
}

/** Converts an address's texts to a shape's values: whole numbers where it requires them. The shape refuses other texts. */
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
