// What goes wrong is returned, not thrown: every answer of the client is `{ data, error }`, and `error` is one of these.

/** Common to all errors of the client. `context`: the response, or what was thrown where none came. */
export class ClientError extends Error {
  readonly context: unknown;

  constructor(message: string, name: string, context?: unknown) {
    super(message);
    this.name = name;
    this.context = context;
  }

  toJSON() {
    return { name: this.name, message: this.message };
  }
}

/** No answer came: the host is unreachable, the time was up, or the call was given up. `context`: what `fetch` threw. */
export class FunctionsFetchError extends ClientError {
  constructor(context: unknown) {
    super("Failed to send a request to the Edge Function", "FunctionsFetchError", context);
  }
}

/** The site answered without reaching the operation: its database is away, it stops, or the address is blocked. */
export class FunctionsRelayError extends ClientError {
  declare readonly context: Response;
  constructor(context: Response) {
    super("Relay Error invoking the Edge Function", "FunctionsRelayError", context);
  }
}

/** The operation refused. `context`: the response, whose body is not read yet. */
export class FunctionsHttpError extends ClientError {
  declare readonly context: Response;
  constructor(context: Response) {
    super("Edge Function returned a non-2xx status code", "FunctionsHttpError", context);
  }
}

/** What is wrong with one field. */
export type FieldProblem = { field: string; code: string; detail: string };

/** A refusal of a typed call, in the site's words (RFC 9457). `status` 0: no answer came. */
export class ApiError extends ClientError {
  readonly status: number;
  readonly code: string | null;
  readonly errors: FieldProblem[];

  constructor(
    message: string,
    about: { status: number; code?: string | null; errors?: FieldProblem[] },
    context?: unknown,
    name = "ApiError",
  ) {
    super(message, name, context);
    this.status = about.status;
    this.code = about.code ?? null;
    this.errors = about.errors ?? [];
  }
}

/** An error about the session or the account. */
export class AuthError extends ApiError {
  constructor(
    message: string,
    about: ConstructorParameters<typeof ApiError>[1],
    context?: unknown,
    name = "AuthError",
  ) {
    super(message, about, context, name);
  }
}

/** Nobody is signed in here. */
export class AuthSessionMissingError extends AuthError {
  constructor() {
    super("Auth session missing!", { status: 400, code: "session_missing" }, undefined, "AuthSessionMissingError");
  }
}

/** A sign-in or a sign-up without an address, or without a password. No request was sent. */
export class AuthInvalidCredentialsError extends AuthError {
  constructor() {
    const message = "You must provide either an email or phone number and a password";
    super(message, { status: 400, code: "missing" }, undefined, "AuthInvalidCredentialsError");
  }
}

/** What was given as a session has no user or no tokens. */
export class AuthSessionOrUserMissingError extends AuthError {
  constructor() {
    const about = { status: 400, code: "session_or_user_missing" };
    super("Auth session or user missing", about, undefined, "AuthSessionOrUserMissingError");
  }
}

/** What was given as an access token is none. */
export class AuthInvalidTokenError extends AuthError {
  constructor() {
    super("JWT is not valid", { status: 400, code: "invalid_jwt" }, undefined, "AuthInvalidJwtError");
  }
}

/** The site could not be asked just now (no answer, 502, 503, 504); the session stays. */
export class AuthRetryableFetchError extends AuthError {
  constructor(message: string, status: number, context?: unknown) {
    super(message, { status }, context, "AuthRetryableFetchError");
  }
}

/** The password is too easy. `reasons`: codes such as `too-short` or `common`. */
export class AuthWeakPasswordError extends AuthError {
  readonly reasons: string[];
  constructor(message: string, about: { status: number; errors: FieldProblem[] }, context?: unknown) {
    super(message, { ...about, code: "weak_password" }, context, "AuthWeakPasswordError");
    this.reasons = about.errors.map(({ code }) => code);
  }
}
