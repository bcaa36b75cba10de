/** A text as HTML and XML show it, between tags and within double quotes. */
export const escapeHtml = (text: string): string => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
