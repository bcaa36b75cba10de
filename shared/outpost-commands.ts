// Makes the commands that start an outpost on another machine.

/** Makes one for each way to run it; none exposes the token to `ps`. @param siteUrl the origin of the site */
export function outpostCommands(siteUrl: string, token: string): { systemd: string; docker: string; npm: string } {
  return {
    systemd: `printf 'SITE_URL=%s\\nOUTPOST_TOKEN=%s\\n' ${siteUrl} ${token} | sudo install -m 0600 /dev/stdin /etc/spawnpoint-outpost.env && sudo systemctl enable --now spawnpoint-outpost`,
    docker: `printf 'OUTPOST_TOKEN=%s\\n' ${token} | install -m 0600 /dev/stdin outpost.env && docker run -d --no-healthcheck --name spawnpoint-outpost --restart on-failure --env-file outpost.env spawnpoint outpost ${siteUrl}`,
    npm: `OUTPOST_TOKEN=${token} npm run spawnpoint -- outpost ${siteUrl}`,
  };
}
