package io.github.flowablepubsub.sample.adminui;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Chromium without a window. Whatever is asked for is waited for. */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Pictures go to the documentation on request only: each run's differ in ids and times. */
    private static final Path PICTURES =
            Boolean.getBoolean("pictures") ? Path.of("../../docs/images") : Path.of("target", "pictures");

    /** Held, as the level goes with it. */
    private static final Logger LOG = Logger.getLogger("org.openqa.selenium");

    private final ChromeDriver driver;
    private final WebDriverWait wait;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
        this.wait = new WebDriverWait(driver, PATIENCE);
        wait.ignoring(StaleElementReferenceException.class);
    }

    /** Whether this machine has what it takes. */
    static boolean isInstalled() {
        return program("chromium").isPresent() && program("chromedriver").isPresent();
    }

    static Browser start() {
        // It warns of each Chromium that is newer than itself.
        LOG.setLevel(Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium").orElseThrow());
        // Chromium's sandbox can't be had by root in a container. It only sees the pages of this test.
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--lang=en",
                "--window-size=1260,1300");
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver").orElseThrow())
                .usingAnyFreePort()
                .build();
        return new Browser(new ChromeDriver(service, options));
    }

    void open(String url) {
        driver.get(url);
    }

    void type(String id, String text) {
        wait.until(ExpectedConditions.elementToBeClickable(By.id(id))).sendKeys(text);
    }

    void click(By what) {
        wait.until(ExpectedConditions.elementToBeClickable(what)).click();
    }

    /**
     * Text of the page once it has a piece that is like this.
     *
     * @throws TimeoutException when it does not come; a picture shows the page
     */
    String textWith(String regex) throws IOException {
        Pattern pattern = Pattern.compile(regex, Pattern.DOTALL);
        try {
            return wait.until(ignored -> {
                String text = driver.findElement(By.tagName("body")).getText();
                return pattern.matcher(text).find() ? text : null;
            });
        } catch (TimeoutException e) {
            Files.write(Path.of("target", "failed.png"), driver.getScreenshotAs(OutputType.BYTES));
            throw e;
        }
    }

    /** Takes a picture of the upper part of the page. */
    void picture(String name, int height) throws IOException {
        BufferedImage page = ImageIO.read(new ByteArrayInputStream(driver.getScreenshotAs(OutputType.BYTES)));
        Files.createDirectories(PICTURES);
        BufferedImage part = page.getSubimage(0, 0, page.getWidth(), Math.min(height, page.getHeight()));
        ImageIO.write(part, "png", PICTURES.resolve(name + ".png").toFile());
    }

    private static Optional<File> program(String name) {
        return Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
                .map(directory -> new File(directory, name))
                .filter(File::canExecute)
                .findFirst();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
