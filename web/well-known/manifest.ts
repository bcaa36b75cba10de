// What a phone needs to put the site on its home screen.

/** /manifest.webmanifest (W3C Web Application Manifest). Colours and pictures are those of the dark theme. */
export function webManifest(siteName: string) {
  return {
    id: "/",
    name: siteName,
    start_url: "/",
    scope: "/",
    // An iPhone tells of nothing what it opens in the browser's own window; others have a way back in theirs.
    display: "standalone",
    display_override: ["minimal-ui"],
    background_color: "#0c0908",
    theme_color: "#0c0908",
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      // Its mark stays whole where a phone cuts a circle out of it.
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
    ],
  };
}
