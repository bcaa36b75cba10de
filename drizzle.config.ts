/** Where `npm run db:generate` finds the tables, and where it writes migrations. (A shape of drizzle-kit's, which lies in scripts/tools.) */
export default { dialect: "postgresql", schema: "./db/schema/index.ts", out: "./db/migrations" };
