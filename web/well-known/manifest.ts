// Makes the manifest for adding the site to a home screen.

/** /manifest.webmanifest (W3C Web Application Manifest). Colours and pictures are those of the dark theme. */
export function webManifest(siteName: string) {
  return {
    id: "/",
    name: siteName,
    start_url: "/",
    scope: "/",
    // iPhones show notifications only of a standalone app; other systems use minimal-ui, which has a back button.
    display: "standalone",
    display_override: ["minimal-ui"],
    background_color: "#0c0908",
    theme_color: "#0c0908",
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      // Its mark stays whole when a phone crops it to a circle.
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
    ],
  };
}
