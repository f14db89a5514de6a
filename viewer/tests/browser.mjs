// Debian's chromium through playwright-core; no browser is downloaded. CHROMIUM names another one.
import { chromium } from 'playwright-core';

export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // A machine without a screen card draws by SwiftShader; root, as in containers, has no sandbox.
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-dev-shm-usage'],
  });
}
