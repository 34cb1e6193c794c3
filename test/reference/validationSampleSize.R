# Writes validationSampleSize.json beside this file: where the sizes of R's pmvalsampsize and ours differ by, for prevalence
# .018, C .8, a linear predictor N(-5, 2.5^2) and O/E width 1. Run: Rscript test/reference/validationSampleSize.R (jsonlite)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
set.seed(20265)
z <- qnorm(.975)
target <- .2 / (2 * z)

# O/E: width of the interval exp(-z se) to exp(z se) for n patients.
width <- function(n) { se <- sqrt((1 - .018) / (.018 * n)); exp(z * se) - exp(-z * se) }

# Slope: n from the Fisher information of a patient, by four ways to the three integrals.
size <- function(info) info[1] / (info[1] * info[3] - info[2]^2) / target^2
integrand <- function(k) function(x) dnorm(x, -5, 2.5) * x^k * dlogis(x)
adaptive <- size(sapply(0:2, function(k) integrate(integrand(k), -45, 35, rel.tol = 1e-13, subdivisions = 5000)$value))
simpson <- function(f, a, b, m = 100000) {
  x <- seq(a, b, length.out = 2 * m + 1)
  sum(f(x) * c(1, rep(c(4, 2), m - 1), 4, 1)) * (b - a) / (6 * m)
}
byHand <- size(sapply(0:2, function(k) simpson(integrand(k), -45, 35)))
drawn <- function(m) { x <- rnorm(m, -5, 2.5); size(sapply(0:2, function(k) mean(x^k * dlogis(x)))) }
large <- replicate(20, drawn(1e6))
# The run of pmvalsampsize's own test: its default seed, simobs = 1000, 1.96 for z.
set.seed(123456)
x <- rnorm(1000, -5, 2.5)
published <- ceiling(size(sapply(0:2, function(k) mean(x^k * dlogis(x)))) * (1.96 / z)^2)
small <- replicate(20000, drawn(1000))

json <- list(
  versions = list(R = paste(R.version$major, R.version$minor, sep = ".")),
  oeWidths = list(list(n = 905, width = width(905)), list(n = 906, width = width(906))),
  slope = list(published = published, adaptive = adaptive, simpson = byHand,
    million = list(mean = mean(large), standardError = sd(large) / sqrt(20)),
    thousand = list(mean = mean(small), sd = sd(small), quantiles = unname(quantile(small, c(.025, .25, .5, .75, .975)))))
)
write(jsonlite::toJSON(json, auto_unbox = TRUE, digits = NA), file.path(here, "validationSampleSize.json"))
