// Renders a JSON Schema in short: type, limits, and the fields of an object.
import { Fragment } from "react";
import css from "./developers.module.css";

/** The part of JSON Schema that the public API's document uses. */
export type Shape = {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Shape;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: boolean | Shape;
};

export function DescribedShape({ shape }: { shape: Shape }) {
  if (!shape.properties) return <Kind shape={shape} />;
  return (
    <>
      {shape.description && (
        <p className={css.quiet}>
          <Marked text={shape.description} />
        </p>
      )}
      <dl className={css.fields}>
        {Object.entries(shape.properties).map(([name, field]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              {shape.required?.includes(name) ? "" : "?"}
            </dt>
            <dd>
              <Kind shape={field} /> <Marked text={field.description ?? ""} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Renders `words` in backticks as code. */
export function Marked({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
    index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
  );
}

function Kind({ shape }: { shape: Shape }) {
  const name = shape.$ref?.split("/").at(-1);
  if (name) return <a href={`#shape-${name}`}>{name}</a>;
  if (shape.type === "array" && shape.items) {
    return (
      <>
        <Kind shape={shape.items} />
        {"[]"}
      </>
    );
  }
  if (shape.anyOf) {
    return shape.anyOf.map((one, index) => (
      <span key={JSON.stringify(one)}>
        {index > 0 && " | "}
        <Kind shape={one} />
      </span>
    ));
  }
  return <code className={css.kind}>{shapeText(shape)}</code>;
}

function shapeText(shape: Shape): string {
  const { enum: choices, minimum, maximum, maxLength } = shape;
  const kind =
    shape.const !== undefined
      ? JSON.stringify(shape.const)
      : choices
        ? choices.map((choice) => JSON.stringify(choice)).join(" | ")
        : (shape.format ?? shape.type ?? "object");
  const limits = [
    ...(minimum === undefined ? [] : [`≥ ${minimum}`]),
    ...(maximum === undefined ? [] : [`≤ ${maximum}`]),
    ...(maxLength === undefined ? [] : [`≤ ${maxLength} characters`]),
    ...(shape.default === undefined ? [] : [`= ${JSON.stringify(shape.default)}`]),
  ];
  return [kind, ...limits].join(" ");
}
